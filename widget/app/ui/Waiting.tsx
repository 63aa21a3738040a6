import type { ApiFailure } from '../api/result.ts';
import type { AppProps } from '../app.ts';
import type { ComponentChildren } from 'preact';
import type { Deferred } from '../browser/deferred.ts';
import { Bar, View } from './View.tsx';
import { Button } from './Button.tsx';

interface WaitingProps extends AppProps {
  failure: Pick<ApiFailure, 'code'> | null;
  /** Asks again. */
  retry: () => Promise<unknown>;
}

/** Placeholder for data that is not loaded: an outline after a moment, or why loading failed with a button to retry. */
export function Waiting({ app: { s }, failure, retry }: WaitingProps) {
  const isGone = failure?.code === 'not_found';
  if (!failure)
    return (
      <output class="skeleton">
        <span class="unseen">{s.loading}</span>
        <i />
        <i />
        <i />
      </output>
    );
  return (
    <div class="remedy" role="alert">
      <p>{isGone ? s.errors.not_found : s.loadFailed}</p>
      {!isGone && <Button label={s.tryAgain} look="button quiet" onClick={() => retry()} />}
    </div>
  );
}

interface LoadingViewProps extends AppProps {
  script: Pick<Deferred<unknown>, 'failure' | 'fetch'>;
  title?: string;
  /** In place of a bar with the title. */
  head?: ComponentChildren;
  /** Label of the back button. */
  back?: string | false | undefined;
}

/** Shown until the script of a view is loaded, after that has failed, and if this page is too old for it. */
export function LoadingView({ app, script, title, back, head }: LoadingViewProps) {
  const failure = script.failure.value;
  return (
    <View app={app}>
      {head ?? <Bar app={app} back={back} title={title!} />}
      {failure === 'gone' ? (
        <Outdated app={app} />
      ) : (
        <Waiting app={app} failure={failure && { code: null }} retry={script.fetch} />
      )}
    </View>
  );
}

function Outdated({ app: { s, drafts, reload } }: AppProps) {
  function startOver() {
    // Drafts are stored with a delay.
    drafts.flush();
    reload();
  }
  return (
    <div class="remedy" role="alert">
      <p>{s.outdated}</p>
      <Button label={s.reload} look="button quiet" onClick={startOver} />
    </div>
  );
}

import type { Deferred } from '../browser/deferred.ts';
import { Bar } from './Bar.tsx';
import { Hero } from './Hero.tsx';
import type { AppProps } from '../app.ts';
import { Waiting } from './Waiting.tsx';
import { View } from './View.tsx';

interface LoadingViewProps extends AppProps {
  script: Pick<Deferred<unknown>, 'failure' | 'fetch'>;
  /** Without one it is the start, as the document has it. */
  title: string | undefined;
  /** Label of the back button. */
  back?: string | false | undefined;
}

/** Shown until the script of a view is loaded, after that has failed, and if this page is too old for it. */
export function LoadingView({ app, script, title, back }: LoadingViewProps) {
  const failure = script.failure.value;
  return (
    <View app={app}>
      {title ? <Bar app={app} back={back} title={title} /> : <Hero app={app} />}
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
      <button type="button" class="button quiet" onClick={startOver}>
        {s.reload}
      </button>
    </div>
  );
}

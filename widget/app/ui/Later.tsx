import type { Part } from '../state/part.ts';
import { Bar } from './Bar.tsx';
import type { SharedProps } from './shared.ts';
import { Waiting } from './Waiting.tsx';
import { View } from './View.tsx';

interface LaterProps extends SharedProps {
  part: Pick<Part<unknown>, 'failure' | 'fetch'>;
  title: string;
  /** The name of the way back. */
  back: string | false;
}

/** In the place of a view whose script has yet to come: what it will be, or that this page is too old to show it. */
export function Later({ app, part, title, back }: LaterProps) {
  const failure = part.failure.value;
  return (
    <View app={app}>
      <Bar app={app} back={back} title={title} />
      {failure === 'gone' ? (
        <Outdated app={app} />
      ) : (
        <Waiting app={app} failure={failure && { code: null }} retry={part.fetch} />
      )}
    </View>
  );
}

function Outdated({ app: { s, drafts, reload } }: SharedProps) {
  function startOver() {
    // What was typed in the last moment is not stored yet.
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

import type { Part } from '../state/part.ts';
import { Bar } from './Bar.tsx';
import type { SharedProps } from './shared.ts';
import { Waiting } from './Waiting.tsx';
import { View } from './View.tsx';

interface LaterProps extends SharedProps {
  part: Pick<Part<unknown>, 'hasFailed' | 'fetch'>;
  title: string;
  /** The name of the way back. */
  back: string | false;
}

/** In the place of a view whose script has yet to come: what it will be. */
export function Later({ app, part, title, back }: LaterProps) {
  return (
    <View app={app}>
      <Bar app={app} back={back} title={title} />
      <Waiting app={app} failure={part.hasFailed.value ? { code: null } : null} retry={part.fetch} />
    </View>
  );
}

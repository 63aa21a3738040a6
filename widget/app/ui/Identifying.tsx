import { Bar } from './Bar.tsx';
import type { SharedProps } from './shared.ts';
import { View } from './View.tsx';

/** While it is not settled whose session this is: nothing of anybody's, and the way out. */
export function Identifying({ app }: SharedProps) {
  const { s, customer } = app;
  const { isSlow, giveUp } = customer.identity;
  return (
    <View app={app}>
      <Bar app={app} title={s.identifying} />
      <div class="remedy">
        <output>{isSlow.value && <p>{s.identifyingSlow}</p>}</output>
        <button type="button" class="button quiet" onClick={() => void giveUp()}>
          {s.asNobody}
        </button>
      </div>
    </View>
  );
}

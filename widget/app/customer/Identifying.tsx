import { Bar } from '../ui/Bar.tsx';
import type { AppProps } from '../app.ts';
import { View } from '../ui/View.tsx';

/** Shown until it is known whose session this is. It shows no data, and a button to continue without signing in. */
export function Identifying({ app }: AppProps) {
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

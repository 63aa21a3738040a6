import type { AppProps } from '../app.ts';
import { Button } from '../ui/Button.tsx';

/** Shown in place of the reply field if a conversation takes no replies: the reason, and a button for a new ticket. */
export function Ended({ app, reason }: AppProps & { reason: string }) {
  const { s, sending } = app;
  return (
    <section class="moved">
      <h2>{reason}</h2>
      <p>{s.movedHint}</p>
      <Button label={s.startOver} onClick={sending.startOver} />
    </section>
  );
}

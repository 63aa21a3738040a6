import type { AppProps } from '../app.ts';

/** Shows how many characters are left, near the limit and beyond it. */
export function Counter({
  app: { s, count },
  id,
  left,
  max,
}: AppProps & { id: string; left: number; max: number }) {
  if (left > Math.min(max / 10, 500)) return null;
  return (
    <p class={left < 0 ? 'error' : 'hint'} id={id}>
      {count(left < 0 ? s.over : s.left, Math.abs(left))}
    </p>
  );
}

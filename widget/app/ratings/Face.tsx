import type { Score } from '../../../shared/contract/ratings.ts';

/** Brows, if any, and mouth. */
const shapes: Record<Score, string> = {
  1: 'M7.5 8l2.5 1M16.5 8l-2.5 1M8 17q4-4 8 0',
  2: 'M8.5 16.5q3.5-2.5 7 0',
  3: 'M8.5 15.5h7',
  4: 'M8.5 14.5q3.5 3 7 0',
  5: 'M7.5 13.5h9q-.5 4.5-4.5 4.5t-4.5-4.5z',
};

/** A decorative face: use it beside its name. */
export function Face({ score }: { score: Score }) {
  const eyes = score === 1 ? 11 : 10;
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="10" />
      <path d={`M9 ${eyes}v.5M15 ${eyes}v.5${shapes[score]}`} />
    </svg>
  );
}

import type { Site } from '../../../shared/contract/site.ts';

/** What the operator tells all customers now; null for nothing. `now`: as `Date.now()`. */
export const noticeAt = ({ notice }: Site, now: number): string | null =>
  notice && now >= (notice.from ?? 0) && now < (notice.until ?? Infinity) ? notice.text : null;

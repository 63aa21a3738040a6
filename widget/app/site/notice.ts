import type { Site, SiteNotice } from '../../../shared/contract/site.ts';

/** What all customers are told now. `now`: as `Date.now()`. */
export const noticeAt = ({ notices }: Site, now: number): SiteNotice | undefined =>
  // A comparison with a time that is missing is false.
  notices?.find(({ from, until }) => !(now < from! || now >= until!));

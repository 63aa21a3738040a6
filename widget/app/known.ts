import { AccountActions } from './customer/AccountActions.tsx';
import { Identifying } from './customer/Identifying.tsx';
import { Elsewhere, Offers } from './customer/Offers.tsx';
import { Start } from './pages/Start.tsx';
import { Earlier } from './thread/Earlier.tsx';
import css from './ticket-list/ticket-list.css?inline';
import { adoptStyles } from './ui/adopt-styles.ts';
import { TaskStatus } from './ui/TaskStatus.tsx';

export { createOffers } from './customer/offers.ts';
export { createNotify } from './notifications/notify.tsx';

adoptStyles(css);

/** The views of the third script: what a customer needs who has been here before, or whom the page names. */
export const knownViews = { AccountActions, Earlier, Elsewhere, Identifying, Offers, Start, TaskStatus };

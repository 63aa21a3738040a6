import { Account } from './pages/Account.tsx';
import { Identifying } from './customer/Identifying.tsx';
import { Notice } from './live/Notice.tsx';
import { Offers } from './customer/Offers.tsx';
import { LiveAnnouncer } from './notifications/LiveAnnouncer.tsx';
import { Start } from './pages/Start.tsx';
import { Thread } from './pages/Thread.tsx';
import { AccountActions } from './customer/AccountActions.tsx';

/** The views of the second script. */
export const deferredViews = {
  Account,
  Identifying,
  Notice,
  Offers,
  LiveAnnouncer,
  Start,
  Thread,
  AccountActions,
};

import type { App, ReturningViews } from './app.ts';
import { AccountMenu, AccountNotices } from './customer/AccountMenu.tsx';
import { Elsewhere } from './customer/Offers.tsx';
import type { Host } from './host.ts';
import { createNotify } from './notifications/notify.tsx';
import { Start } from './Start.tsx';
import { Earlier } from './thread/Earlier.tsx';
import { Ended } from './thread/Ended.tsx';
import { RichText } from './thread/messages/RichText.tsx';
import { ThreadMenu } from './thread/ThreadMenu.tsx';
import threadCss from './thread/thread-later.css?inline';
import listCss from './ticket-list/ticket-list.css?inline';
import { adoptStyles } from './browser/page.ts';

adoptStyles(threadCss + listCss);

/** What only customers need who have written before or whom the page identifies. `host`: null on the full page. */
export const createReturning = (app: App, host: Host | null): ReturningViews => ({
  AccountMenu,
  AccountNotices,
  Earlier,
  Elsewhere,
  Ended,
  RichText,
  Start,
  ThreadMenu,
  arrive: host ? createNotify(app, host).arrive : () => {},
});

import { LiveAnnouncer, Notice } from './live/Notice.tsx';
import css from './thread/thread.css?inline';
import { Thread } from './thread/Thread.tsx';
import { adoptStyles } from './browser/page.ts';

adoptStyles(css);

/** The views of an open conversation, which a customer needs once they have sent something. */
export const conversationViews = { LiveAnnouncer, Notice, Thread };

import { createHash } from 'node:crypto';
import { baseStyles } from './styles/base.ts';
import { pageStyles } from './styles/pages.ts';
import { ticketStyles } from './styles/ticket.ts';

/** The desk's one stylesheet: a string, so that the bundled service needs no file beside it. */
export const stylesheet = baseStyles + pageStyles + ticketStyles;

/** Changes with its content, so browsers may keep it for good. */
export const stylesheetPath = `/desk/desk-${createHash('sha256').update(stylesheet).digest('hex').slice(0, 12)}.css`;

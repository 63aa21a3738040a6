import { hashedPath } from './hashed-path.ts';
import { baseStyles } from './styles/base.ts';
import { pageStyles } from './styles/pages.ts';
import { ticketStyles } from './styles/ticket.ts';

/** The desk's one stylesheet: a string, so that the bundled service needs no file beside it. */
export const stylesheet = baseStyles + pageStyles + ticketStyles;

export const stylesheetPath = hashedPath('desk', stylesheet, 'css');

import type { FrameLocator, Page, Request } from '@playwright/test';

/** Something that puts a launcher on a page, and a form behind it. */
export interface Contender {
  name: string;
  /** What the site owner pastes. */
  tag: string;
  /** What the browser fetches until this moment, each with its brotli; addresses. */
  fetched: { launcher: string[]; typing: string[] };
  /** CSS, through open shadow roots. */
  launcher: string;
  field: string;
  /** Fields with what is typed into them, and what is pressed then. */
  filled: Record<string, string>;
  send: string;
  /** Whether form and fields are in a frame. */
  isFramed: boolean;
  isSend(request: Request): boolean;
}

/** Where the contender's form is. */
export const formOf = (page: Page, { isFramed }: Contender): Page | FrameLocator =>
  isFramed ? page.frameLocator('iframe') : page;

export const ticket = {
  '[name=customer_email]': 'ada@example.com',
  '[name=description]': 'What now?',
};

import type { FrameLocator, Page, Request } from '@playwright/test';

/** A widget that adds a launcher and a form to a page. */
export interface Contender {
  name: string;
  /** The HTML that the site owner pastes. */
  tag: string;
  /**
   * The addresses that the browser fetches for each moment, in addition to those of the moment before. Their brotli
   * sizes are counted.
   */
  fetched: { launcher: string[]; typing: string[] };
  /** CSS, through open shadow roots. */
  launcher: string;
  field: string;
  /** The fields with the texts to type, and the button to press afterwards. */
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

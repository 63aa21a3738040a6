import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { english, languages } from '../../../shared/i18n/languages.ts';

const style =
  ':root{color-scheme:light dark}body{max-width:28rem;margin:15vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}button{font:inherit;padding:.5rem 1rem}';

/** The hash of the page's only style, for its Content-Security-Policy. */
export const unsubscribePageStyleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/**
 * The page of the unsubscribe link in a mail. It asks first, because mail servers open links to check them. `isDone`:
 * the address is unsubscribed.
 */
export async function unsubscribePage(options: {
  brand: string;
  /** Tag of a language of the widget. Any other tag means English. */
  language: string;
  isDone: boolean;
}): Promise<string> {
  const { tag, dir, sentences } = languages.find((each) => each.tag === options.language) ?? english;
  const { stop, stopQuestion, stopped } = sentences.ticketMail;
  const question = stopQuestion.replace('{brand}', () => options.brand);
  const body = options.isDone
    ? html`<p role="status">${stopped}</p>`
    : html`<p>${question}</p>
        <form method="post">
          <input type="hidden" name="List-Unsubscribe" value="One-Click" />
          <button>${stop}</button>
        </form>`;
  const page = await html`<!doctype html>
    <html lang="${tag}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${stop}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  return page.toString();
}

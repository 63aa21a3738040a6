import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { AppError } from '../../core/errors.ts';
import type { AppContext, AppEnv } from '../../core/http/context.ts';
import { setHeaders } from '../../core/http/headers.ts';
import { acceptedLanguages } from '../../core/http/language.ts';
import { limitHeaders } from '../../core/limits/limits.ts';
import type { PublicPort } from '../../core/part.ts';
import type { Core } from '../../core/wiring.ts';
import { languageOf } from './mail-page.ts';
import type { Notices } from './notices.ts';
import type { Suppressions } from './suppressions.ts';

/*
 * The unsubscribe link in mails about tickets, for people (`GET`, then a button) and for mail programs (`POST` at
 * once, RFC 8058). Requests come from any site and without a cookie, so only the token counts.
 */

const style =
  ':root{color-scheme:light dark}body{max-width:28rem;margin:15vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}button{font:inherit;padding:.5rem 1rem}';

/** The hash of the page's only style, for its Content-Security-Policy. */
const styleHash = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/**
 * The page of the unsubscribe link in a mail. It asks first, because mail servers open links to check them. `isDone`:
 * the address is unsubscribed.
 */
async function unsubscribePage(language: string, brand: string, isDone: boolean): Promise<string> {
  const { tag, dir, sentences } = languageOf(language);
  const { stop, stopQuestion, stopped } = sentences.ticketMail;
  const question = stopQuestion.replace('{brand}', () => brand);
  const body = isDone
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

export function unsubscribeRoutes(
  { config, limits }: Core,
  suppressions: Suppressions,
  notices: Notices,
  { bestLanguage }: PublicPort,
) {
  const brand = config.brand ?? new URL(config.publicUrl).host;

  /** The hash of the address that the token of a request is for. Refuses a token that is not ours. */
  async function addressOf(c: AppContext): Promise<string> {
    const hash = suppressions.readToken(c.req.param('token') ?? '');
    if (hash !== null) return hash;
    // Only refused requests are counted, because many mail programs send from the same few addresses of their provider.
    const states = await limits.take([{ policy: 'unsubscribe-ip', key: c.get('address') }]);
    setHeaders(c, limitHeaders(states));
    throw new AppError('not_found');
  }

  async function show(c: AppContext, isDone: boolean) {
    const language = bestLanguage(acceptedLanguages(c.req.header('Accept-Language')));
    return c.html(await unsubscribePage(language, brand, isDone), 200, {
      'Content-Security-Policy': `default-src 'none'; style-src ${styleHash}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    });
  }

  return new Hono<AppEnv>()
    .get('/:token', async (c) => {
      await addressOf(c);
      return show(c, false);
    })
    .post('/:token', async (c) => {
      const hash = await addressOf(c);
      await suppressions.add(hash, 'unsubscribed');
      await notices.removeOf(hash);
      return show(c, true);
    });
}

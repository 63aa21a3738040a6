import { Hono } from 'hono';
import { AppError } from '../../core/errors.ts';
import { limitHeaders, type Limits } from '../../core/limits/limits.ts';
import type { Unsubscribe } from './unsubscribe.ts';
import type { AppContext, AppEnv } from '../../core/http/context.ts';
import { setHeaders } from '../../core/http/headers.ts';
import { acceptedLanguages } from '../../core/http/language.ts';

/**
 * The unsubscribe link in mails about tickets, for people (`GET`, then a button) and for mail programs (`POST` at
 * once, RFC 8058). Requests come from any site and without a cookie, so only the token counts.
 */
export function unsubscribeRoutes(deps: {
  unsubscribe: Unsubscribe;
  bestLanguage: (wishes: readonly string[]) => string;
  limits: Pick<Limits, 'take'>;
}) {
  const { unsubscribe, bestLanguage, limits } = deps;

  /**
   * Only refused requests are counted, because many mail programs send from the same few addresses of their provider.
   */
  async function refuse(c: AppContext): Promise<never> {
    const states = await limits.take([{ policy: 'unsubscribe-ip', key: c.get('address') }]);
    setHeaders(c, limitHeaders(states));
    throw new AppError('not_found');
  }

  async function show(c: AppContext, isDone: boolean) {
    const language = bestLanguage(acceptedLanguages(c.req.header('Accept-Language')));
    const { html, styleHash } = await unsubscribe.page(language, isDone);
    return c.html(html, 200, {
      'Content-Security-Policy': `default-src 'none'; style-src ${styleHash}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
    });
  }

  return new Hono<AppEnv>()
    .get('/:token', async (c) => {
      if (!unsubscribe.isKnown(c.req.param('token'))) await refuse(c);
      return show(c, false);
    })
    .post('/:token', async (c) => {
      if (!(await unsubscribe.end(c.req.param('token')))) await refuse(c);
      return show(c, true);
    });
}

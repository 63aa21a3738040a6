import { isPrivate } from '../../core/settings/values.ts';
import { type Check, type CheckContext, fail, ok, warn } from '../../core/operator/check.ts';

/** Checks PUBLIC_URL and the allowed origins, without a request. */
export const originChecks = ({ config }: CheckContext): Check[] => [
  {
    name: 'public-url',
    needs: ['configuration'],
    fix: 'Put a proxy that ends TLS in front of the BFF, and set PUBLIC_URL to its https address.',
    run() {
      const { publicUrl } = config();
      return isPrivate(publicUrl)
        ? ok(publicUrl)
        : fail(`${publicUrl} is http: everybody on the way reads along, and browsers keep no session cookie`);
    },
  },
  {
    name: 'origins-encrypted',
    needs: ['configuration'],
    fix: 'Serve these sites by https, and name their https origins in ALLOWED_ORIGINS.',
    run() {
      const { allowedOrigins } = config();
      // On Windows and Android, the pages of Tauri are at http://tauri.localhost, in the app.
      const open = allowedOrigins.filter(
        (origin) => origin.startsWith('http') && !isPrivate(origin) && !origin.endsWith('.localhost'),
      );
      return open.length === 0
        ? ok(`${allowedOrigins.length} sites may show the widget`)
        : warn(`${open.join(', ')}: who is on the way can change a page that shows the widget`);
    },
  },
  {
    name: 'origins-foreign',
    needs: ['configuration'],
    fix: 'Take PUBLIC_URL out of ALLOWED_ORIGINS: only sites that show the widget belong there.',
    run() {
      const { allowedOrigins, publicUrl } = config();
      const { origin, pathname } = new URL(publicUrl);
      // Under a path the BFF shares the host of the site.
      return pathname === '/' && allowedOrigins.includes(origin)
        ? warn('PUBLIC_URL is among ALLOWED_ORIGINS')
        : ok('PUBLIC_URL is not among ALLOWED_ORIGINS');
    },
  },
];

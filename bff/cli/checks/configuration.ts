import { ConfigError } from '../../core/settings/settings.ts';
import { misspelt, settings, warningsOf } from '../../config.ts';
import { logCodes } from '../../core/log/codes.ts';
import { isPrivate } from '../../core/settings/values.ts';
import { type Check, type CheckContext, fail, ok, warn } from '../../core/operator/check.ts';

/* The checks of the settings, without a request. */

/** Checks that the settings are valid, and lists their warnings. */
export const configurationChecks = ({ env, config }: CheckContext): Check[] => [
  {
    name: 'configuration',
    needs: [],
    fix: 'Correct the named settings. docs/settings.md has what each of them takes.',
    run() {
      try {
        config();
        return ok(
          `${settings.filter(({ name }) => env[name] || env[`${name}_FILE`]).length} settings are set, and all are valid`,
        );
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return fail(error.message.replaceAll(/\n\s*/g, ' '));
      }
    },
  },
  {
    name: 'configuration-names',
    needs: [],
    fix: 'Correct the names of the variables that are for Deskside.',
    run() {
      const unknown = misspelt(env).map(({ name, meant }) => `${name} (for ${meant}?)`);
      return unknown.length === 0 ? ok('no name looks misspelt') : warn(`no settings: ${unknown.join(', ')}`);
    },
  },
  {
    name: 'configuration-risks',
    needs: ['configuration'],
    fix: 'Change the named setting, unless you know that it is right here.',
    run() {
      const warnings = warningsOf(config());
      return warnings.length === 0
        ? ok('no setting is risky')
        : warn(
            warnings.map((code) => logCodes[code].says).join('. '),
            warnings.map((code) => logCodes[code].fix).join(' '),
          );
    },
  },
];

/** Checks PUBLIC_URL and the allowed origins. */
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

import { ConfigError } from '../../core/settings/settings.ts';
import { misspelt, settings, warningsOf } from '../../config.ts';
import { logCodes } from '../../core/log/codes.ts';
import { type Check, type CheckContext, fail, ok, warn } from '../../core/operator/check.ts';

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

import { ConfigError, settingNames, warningsOf } from '../../config.ts';
import { logCodes } from '../../log/codes.ts';
import { type Check, type CheckContext, fail, ok, warn } from './check.ts';

/** Checks that the settings are valid, and lists their warnings. */
export const configurationChecks = ({ env, config }: CheckContext): Check[] => [
  {
    name: 'configuration',
    needs: [],
    mend: 'Correct the named settings. docs/settings.md has what each of them takes.',
    run() {
      try {
        config();
        return ok(
          `${settingNames.filter((name) => env[name] || env[`${name}_FILE`]).length} settings are set, and all are valid`,
        );
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return fail(error.message.replaceAll(/\n\s*/g, ' '));
      }
    },
  },
  {
    name: 'configuration-risks',
    needs: ['configuration'],
    mend: 'Change the named setting, unless you know that it is right here.',
    run() {
      const warnings = warningsOf(config());
      return warnings.length === 0
        ? ok('no setting is risky')
        : warn(
            warnings.map((code) => logCodes[code].says).join('. '),
            warnings.map((code) => logCodes[code].mend).join(' '),
          );
    },
  },
];

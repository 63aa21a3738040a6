import { request } from 'undici';
import { explainConnection } from '../../core/connection-errors.ts';
import { type Check, type CheckContext, fail, ok, warn } from '../../core/operator/check.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { ratingSettings } from './settings.ts';

/** Asks what answers at `RATING_HOOK`, and sends it no rating. Many receivers refuse such a request: that is an answer. */
export const ratingChecks = ({ config, patienceMs }: CheckContext): Check[] => [
  {
    name: 'rating-hook',
    needs: ['configuration'],
    fix: 'Check RATING_HOOK, and that this machine may connect to it.',
    async run() {
      const { RATING_HOOK: url } = valuesOf(ratingSettings, config().values);
      if (url === undefined) return ok('RATING_HOOK is not set: ratings are sent nowhere');
      try {
        const { statusCode, body } = await request(url, {
          method: 'HEAD',
          signal: AbortSignal.timeout(patienceMs),
        });
        body.on('error', () => {}).destroy();
        return statusCode < 500
          ? ok('RATING_HOOK answers')
          : warn(`RATING_HOOK answers ${statusCode}`, 'Look into the logs of what answers at RATING_HOOK.');
      } catch (error) {
        return fail(explainConnection(error) ?? 'RATING_HOOK does not answer');
      }
    },
  },
];

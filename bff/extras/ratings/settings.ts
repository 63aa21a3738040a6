import { z } from 'zod';
import { setting, type SettingGroup } from '../../core/settings/settings.ts';
import { onOff, webhookSecret } from '../../core/settings/values.ts';

/** Unlike other addresses it may have a query, where some receivers have their key. */
const hookUrl = z
  .string()
  .refine(
    (text) => /^https:\/\/[^\s#]+$/.test(text) && URL.canParse(text) && !new URL(text).username,
    'must be an https URL without user, password and fragment',
  );

export const ratingSettings = {
  heading: 'Ratings',
  shape: {
    RATINGS: setting(onOff('off'), {
      about: 'on asks customers below an answer whether it solved their question, and for a rating.',
      example: 'on',
    }),
    RATING_HOOK: setting(hookUrl.optional(), {
      about: 'Where each rating is sent, as JSON by POST. Needs RATINGS=on.',
      example: 'https://example.com/hooks/ratings',
      kind: 'private',
      inSites: 'own',
    }),
    RATING_HOOK_SECRET: setting(webhookSecret.optional(), {
      about: 'Secret that signs what RATING_HOOK gets, as Standard Webhooks say. Needs RATING_HOOK.',
      example: 'whsec_…',
      kind: 'private',
      inSites: 'own',
    }),
  },
  rules: [
    {
      name: 'RATINGS',
      error: 'must be on with RATING_HOOK',
      holds: (env) => !env['RATING_HOOK'] || env['RATINGS'] === 'on',
    },
    {
      name: 'RATING_HOOK',
      error: 'is required with RATING_HOOK_SECRET',
      holds: (env) => !env['RATING_HOOK_SECRET'] || Boolean(env['RATING_HOOK']),
    },
  ],
} satisfies SettingGroup;

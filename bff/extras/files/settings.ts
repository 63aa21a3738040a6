import { z } from 'zod';
import { setting, type SettingGroup } from '../../core/settings/settings.ts';
import { onOff, wholeNumber } from '../../core/settings/values.ts';

/** Origin of a host of its own for files. */
const host = z
  .string()
  .refine(
    (text) => /^https?:\/\/[\w.:-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://files.example.com: no path',
  );

export const fileSettings = {
  heading: 'Files',
  shape: {
    FILES: setting(onOff('on'), {
      about: 'off takes no files with messages.',
      fallback: 'on',
      example: 'off',
    }),
    FILES_MAX_BYTES: setting(wholeNumber.pipe(z.number().min(10_000).max(100_000_000)).default(10_000_000), {
      about: 'Largest file, in bytes.',
      fallback: '10000000',
      example: '25000000',
    }),
    FILES_MAX_COUNT: setting(wholeNumber.pipe(z.number().min(1).max(20)).default(5), {
      about: 'Most files of one message.',
      fallback: '5',
      example: '10',
    }),
    FILES_HOST: setting(host.optional(), {
      about: 'A host of its own for the links of files, as an origin that leads to this BFF.',
      fallback: 'PUBLIC_URL',
      example: 'https://files.example.com',
      kind: 'host',
      inSites: 'own',
    }),
  },
} satisfies SettingGroup;

import { z } from 'zod';
import { setting, type SettingGroup } from '../../core/settings/settings.ts';
import { list, onOff, wholeNumber } from '../../core/settings/values.ts';
import { isTypePattern } from './kinds.ts';
import { bucketIn } from './s3-store.ts';

/** Origin of a host of its own for files. */
const host = z
  .string()
  .refine(
    (text) => /^https?:\/\/[\w.:-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://files.example.com: no path',
  );

const types = list.refine(
  (given) => given.length > 0 && given.every(isTypePattern),
  'must be media types such as image/png or image/*, separated by commas',
);

const isBucket = (text: string) => {
  try {
    return bucketIn(text).url !== '';
  } catch {
    return false;
  }
};
const bucket = z
  .string()
  .refine(
    isBucket,
    'must be as in s3://key:secret@host/bucket?region=eu-central-1, with path-style=off or tls=off',
  );

const scanner = z
  .string()
  .refine(
    (text) => /^clamd:\/\/[^/?#@]+$/.test(text) && URL.canParse(text),
    'must be as in clamd://127.0.0.1:3310',
  );

export const fileSettings = {
  heading: 'Files',
  shape: {
    FILES: setting(onOff('on'), {
      about: 'off takes no files with messages.',
      example: 'off',
    }),
    FILES_MAX_BYTES: setting(wholeNumber.pipe(z.number().min(10_000).max(100_000_000)).default(10_000_000), {
      about: 'Largest file, in bytes.',
      example: '25000000',
    }),
    FILES_MAX_COUNT: setting(wholeNumber.pipe(z.number().min(1).max(20)).default(5), {
      about: 'Most files of one message.',
      example: '10',
    }),
    FILES_HOST: setting(host.optional(), {
      about: 'A host of its own for the links of files, as an origin that leads to this BFF.',
      fallback: 'PUBLIC_URL',
      example: 'https://files.example.com',
      kind: 'host',
      inSites: 'own',
    }),
    FILES_TYPES: setting(types.optional(), {
      about: 'Media types that are taken, separated by commas, such as image/*. By content, not by name.',
      fallback: 'pictures, PDF, text, office files, zip, video and sound',
      example: 'image/*,application/pdf',
    }),
    FILES_DAILY_BYTES: setting(
      z
        .string()
        .regex(/^\d{1,15}$/, 'must be a whole number')
        .transform(Number)
        .default(5e9),
      {
        about: 'Bytes of all files that are taken within 24 hours.',
        example: '20000000000',
      },
    ),
    FILES_URL: setting(bucket.optional(), {
      about:
        'A bucket instead of the folder files in DATA_DIR: s3://key:secret@host/bucket?region=…, with key and secret percent-encoded.',
      example: 's3://key:secret@s3.eu-central-1.amazonaws.com/deskside?region=eu-central-1',
      kind: 'private',
      inSites: 'own',
    }),
    FILES_SCAN: setting(scanner.optional(), {
      about: 'A clamd that scans each file before it is taken: clamd://host:port.',
      example: 'clamd://127.0.0.1:3310',
      kind: 'host',
    }),
    RETENTION_FILES_DAYS: setting(wholeNumber.pipe(z.number().max(3_650)).default(0), {
      about: 'Days until a file is removed. 0: as long as its message is kept.',
      example: '365',
    }),
  },
} satisfies SettingGroup;

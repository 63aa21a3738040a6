import { createPublicKey } from 'node:crypto';
import { z } from 'zod';
import type { SiteLink } from '../../../shared/contract/site.ts';
import { parseSchedule } from '../site/schedule.ts';
import type { ReplyTime } from '../site/site.ts';
import { sentence } from '../text/sentence.ts';

/** The schemas of settings. Each is read from text. Durations are in milliseconds. */

export const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number);
/** A number of milliseconds within a range. */
export const duration = (defaultMs: number, minMs: number, maxMs: number) =>
  wholeNumber.pipe(z.number().min(minMs).max(maxMs)).default(defaultMs);
const portText = z.string().refine((text) => !text.startsWith('tcp://'), {
  error:
    'is an address that Kubernetes sets for a Service of this name: set enableServiceLinks: false in the pod',
  abort: true,
});
export const port = (fallback: number) =>
  portText.pipe(wholeNumber.pipe(z.number().max(65_535))).default(fallback);
/** Systems take at least so many for the path of a socket, and listen at a path that they have cut. */
const maxSocketBytes = 103;
/** A port, or the path of a Unix socket. */
export const portOrSocket = (fallback: number) =>
  portText
    .refine(
      (text) =>
        text.startsWith('/')
          ? Buffer.byteLength(text) <= maxSocketBytes
          : /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
      `must be a port, or the path of a socket with at most ${maxSocketBytes} bytes`,
    )
    .transform((text) => (text.startsWith('/') ? text : Number(text)))
    .default(fallback);

/** An address of this machine. In an URL, an IPv6 address has brackets, and people copy them. */
export const listenAddress = z
  .string()
  .min(1)
  .overwrite((text) => text.replace(/^\[(.*)\]$/, '$1'));

export const onOff = (fallback: 'on' | 'off') => z.enum(['on', 'off']).default(fallback);

/** A number of days, converted to milliseconds. */
export const days = (fallback: number) =>
  wholeNumber
    .pipe(z.number().min(1).max(3_650))
    .default(fallback)
    .transform((count) => count * 86_400_000);
export const limit = (fallback: number) =>
  wholeNumber.pipe(z.number().min(1).max(1_000_000)).default(fallback);

function isPublicKey(pem: string): boolean {
  // `createPublicKey` also accepts a private key.
  if (pem.includes('PRIVATE KEY')) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === 'ed25519' || asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
const signingSecret = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
export const webhookSecret = z
  .string()
  .min(16, 'must be at least 16 characters of random text')
  .refine(
    (secret) => !secret.startsWith('whsec_') || signingSecret.test(secret),
    'must hold 24 to 64 bytes in base64 after whsec_',
  );

const isPlainHttpUrl = (text: string) =>
  /^https?:[^?#]+$/.test(text) && URL.canParse(text) && !new URL(text).username;
export const httpUrl = z
  .string()
  .refine(isPlainHttpUrl, 'must be an http or https URL without credentials, query or fragment')
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Whether nobody can read or change the traffic to this URL. */
export const isPrivate = (url: string) =>
  new URL(url).protocol === 'https:' || loopback.has(new URL(url).hostname);

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

const isOrigin = (text: string) =>
  /^https?:\/\/[\w.:[\]-]+$/.test(text) &&
  !/\.(:|$)/.test(text) &&
  URL.canParse(text) &&
  new URL(text).origin === text;
/** Not those of an IP address: the last label has a letter. */
const isWildcard = (text: string) =>
  /^https:\/\/\*\.([\w-]+\.)+[a-z][\w-]*(:\d+)?$/.test(text) && isOrigin(text.replace('*.', ''));
const isApp = (text: string) => /^(app|capacitor|ionic|tauri):\/\/[a-z\d-]+(\.[a-z\d-]+)*$/.test(text);
/** As browsers name it. People copy a slash at the end, capitals, the usual port, or a name in its own script. */
const named = z
  .string()
  .transform((text) =>
    /^https?:\/\/[^\s/?#@*\\]+\/?$/i.test(text) && URL.canParse(text) ? new URL(text).origin : text,
  );
/** Whose scripts may read conversations. SECURITY: no wildcard, since somebody may take over a subdomain. */
export const origin = named.refine(
  (text) => isOrigin(text) || isApp(text),
  'must be origins such as https://www.example.com, separated by commas: no path, no wildcard',
);

/** What may show the widget: an origin, all subdomains of one, or an app with pages of its own. */
export const embedder = named.refine(
  (text) => isOrigin(text) || isWildcard(text) || isApp(text),
  'must be origins such as https://www.example.com, https://*.example.com or capacitor://localhost, separated by commas: no path',
);

/** In hex, which mail programs know too. The `#` may be missing, since it begins a comment in some files of settings. */
export const hexColor = z
  .string()
  .regex(/^#?([\da-f]{3}|[\da-f]{6})$/i, 'must be a colour such as a8482a, with or without #')
  .transform((text) => {
    const digits = text.replace('#', '').toLowerCase();
    return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
  });

/** Each document of the app has it. */
const maxLogo = 32_768;
const isLogo = (text: string) =>
  /^data:image\/(png|jpeg|gif|webp|svg\+xml)(;[\w=-]+)*,[^\s"<>]+$/i.test(text) ||
  (/^https:[^\s"<>]+$/i.test(text) && URL.canParse(text) && !new URL(text).username);
export const imageUrl = z
  .string()
  .refine(isLogo, 'must be an https address, or a data: address of a PNG, JPEG, GIF, WebP or SVG image')
  .refine((text) => text.length <= maxLogo, `must have at most ${maxLogo} characters`);

/** For a socket it may have a user and no host: postgres://user@/name?host=/var/run/postgresql */
const isDatabaseUrl = (text: string) => {
  const url = text.replace('@/', '@localhost/');
  if (!/^postgres(ql)?:\/\/./.test(url) || !URL.canParse(url)) return false;
  const { hash, host, pathname } = new URL(url);
  // What follows a `#` or `/` of a password counts as another part. The driver takes several hosts for one.
  return hash === '' && !host.includes(',') && !pathname.includes('@');
};

export const databaseUrl = z
  .string()
  .refine(
    isDatabaseUrl,
    'must be a postgres URL of one host, with # / ? @ : % of a password as %23 %2F %3F %40 %3A %25',
  );

export const publicKey = z
  .string()
  .transform((pem) => pem.replaceAll('\\n', '\n'))
  .refine(isPublicKey, 'must be a PEM public key, P-256 or Ed25519');

export const supportHours = z.string().transform((text, { addIssue }) => {
  try {
    return parseSchedule(text);
  } catch (error) {
    addIssue((error as Error).message);
    return z.NEVER;
  }
});

export const replyTime = z
  .string()
  .regex(/^[1-9]\d{0,2} (minute|hour|day|week)s?$/, 'must be as in "2 hours": minutes, hours, days or weeks')
  .transform((text): ReplyTime => {
    const [count, unit] = text.split(' ') as [string, string];
    return { count: Number(count), unit: unit.replace(/s$/, '') as ReplyTime['unit'] };
  });

/** A sentence for all languages, or a JSON object with one for each: `{"en":"We are late.","de":"…"}` */
export const sentenceOrSentences = (max: number) =>
  z
    .string()
    .transform((text, { addIssue }): unknown => {
      if (!text.startsWith('{')) return text;
      try {
        return JSON.parse(text);
      } catch {
        addIssue('begins with { and is no JSON object of sentences by language');
        return z.NEVER;
      }
    })
    .pipe(sentence(max));

const linkPart = /^(?<label>\S.{0,59}?)\s+(?<url>(?:https?:\/\/|mailto:|tel:)\S+)$/i;

/** `Delivery times https://www.example.com/delivery; Returns https://www.example.com/returns` */
export const startLinks = z.string().transform((text, { addIssue }): SiteLink[] => {
  // A semicolon in an address has neither a space nor another link behind it.
  const parts = text.split(/;(?=\s|$|[^;]*\s(?:https?:|mailto:|tel:))/i).flatMap((part) => part.trim() || []);
  const links = parts.flatMap((part) => {
    const { label, url } = linkPart.exec(part)?.groups ?? {};
    return label && url && URL.canParse(url) ? { label, url } : [];
  });
  if (links.length === 0 || links.length > 6 || links.length < parts.length)
    addIssue('must be one to six links, as in "Delivery times https://www.example.com/delivery; Returns …"');
  return links;
});

/** As Unix milliseconds. */
export const instant = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/,
    'must be a time with its offset, such as 2026-12-01T08:00+01:00',
  )
  .transform(Date.parse)
  .refine(Number.isFinite, 'is no time');

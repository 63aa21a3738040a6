import { z } from 'zod';

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  publicUrl: string;
  trustedProxies: number;
  logLevel: string;
  fileHosts: string[];
  maxFileBytes: number;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number, 0 to 65535')
    .default('4001')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port number, 0 to 65535'),
  DATA_DIR: z.string().default('.data/service'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
    .optional(),
  TRUST_PROXY: z
    .string()
    .regex(/^(\d|10)$/, 'must be a whole number, 0 to 10')
    .default('0')
    .transform(Number),
  FILE_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
    .refine(
      (origins) => origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin),
      'must be origins such as https://support.example.com, separated by commas',
    ),
  FILE_MAX_BYTES: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a number of bytes, 1 to 999999999')
    .default('10000000')
    .transform(Number),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

/** Reads the configuration; an empty variable counts as absent. Throws one error that names every error. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (!result.success) {
    const errors = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The configuration has errors:\n${errors.join('\n')}`);
  }
  const { HOST, PORT, DATA_DIR, PUBLIC_URL, TRUST_PROXY, FILE_HOSTS, FILE_MAX_BYTES, LOG_LEVEL } =
    result.data;
  return {
    host: HOST,
    port: PORT,
    dataDir: DATA_DIR,
    publicUrl: PUBLIC_URL ?? `http://localhost:${PORT}`,
    trustedProxies: TRUST_PROXY,
    logLevel: LOG_LEVEL,
    fileHosts: FILE_HOSTS,
    maxFileBytes: FILE_MAX_BYTES,
  };
}

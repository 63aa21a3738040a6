import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, parseConfig } from '../../config.ts';
import { isPrivate } from '../../setting-values.ts';
import { secretKeyFile } from '../../store/secret.ts';
import type { Cli } from '../command.ts';
import { envFile } from '../env-file.ts';
import { type ExitCode, exitCodes } from '../terminal/output.ts';

export interface InitOptions {
  file: string;
  force?: boolean;
  supportApiUrl?: string;
  supportApiKeyFile?: string;
  allowedOrigins?: string;
  publicUrl?: string;
  trustProxy?: string;
}

type Values = Record<string, string | undefined>;

interface Question {
  name: string;
  flag: string;
  text: string;
  isSecret?: boolean;
  /** Used for an empty answer. Undefined: an answer is required. */
  fallback?: string;
  isNeeded?: (values: Values) => boolean;
}

const questions: readonly Question[] = [
  { name: 'SUPPORT_API_URL', flag: '--support-api-url', text: 'Address of the ticket service: ' },
  {
    name: 'SUPPORT_API_KEY',
    flag: '--support-api-key-file',
    text: 'Its API key (not shown): ',
    isSecret: true,
    isNeeded: ({ SUPPORT_API_KEY_FILE: file }) => !file,
  },
  {
    name: 'ALLOWED_ORIGINS',
    flag: '--allowed-origins',
    text: 'Sites that may show the widget, such as https://www.example.com: ',
  },
  {
    name: 'PUBLIC_URL',
    flag: '--public-url',
    text: 'Where browsers reach the BFF (http://localhost:4000): ',
    fallback: 'http://localhost:4000',
  },
  {
    name: 'TRUST_PROXY',
    flag: '--trust-proxy',
    text: 'How many proxies stand before it (1): ',
    fallback: '1',
    isNeeded: ({ PUBLIC_URL: url }) =>
      url !== undefined && URL.canParse(url) && new URL(url).protocol === 'https:',
  },
];

/** The error in the value of one setting, as far as it can be found without the other settings. */
function errorOf(name: string, value: string): string | undefined {
  try {
    parseConfig({ [name]: value });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const start = `  ${name}: `;
    const message = error.message
      .split('\n')
      .find((line) => line.startsWith(start))
      ?.slice(start.length);
    // This message is about the other source of the key.
    return message?.startsWith('set either') ? undefined : message;
  }
}

/** Asks for what the flags did not set. Without a terminal, missing values stay missing. */
async function answer(values: Values, { question, out }: Cli): Promise<void> {
  for (const { name, text, isSecret = false, fallback, isNeeded = () => true } of questions) {
    if (values[name] !== undefined || !isNeeded(values)) continue;
    if (!question) {
      values[name] = fallback;
      continue;
    }
    for (;;) {
      const given = (await question(text, isSecret)) || fallback || '';
      const wrong = given === '' ? 'is required' : errorOf(name, given);
      values[name] = given;
      if (!wrong) break;
      out.note(`${name}: ${wrong}`);
    }
  }
}

/** Secrets that nobody needs to choose. An existing store keeps its own key. */
const freshSecrets = (dataDir: string): Values => ({
  SECRET_KEY: existsSync(secretKeyFile(dataDir)) ? undefined : randomBytes(32).toString('base64url'),
  WEBHOOK_SECRET: randomBytes(24).toString('base64url'),
});

/**
 * Writes a file of settings that only its owner may read.
 * @throws {ConfigError} when the given values are not a valid configuration; nothing is written then
 */
export async function run(cli: Cli, options: InitOptions): Promise<ExitCode> {
  const { env, out } = cli;
  const file = resolve(options.file);
  if (existsSync(file) && !options.force) {
    out.note(`${file} exists: give --force to replace it, or --file to write another one`);
    return exitCodes.usage;
  }
  const keyFile = options.supportApiKeyFile ?? env['SUPPORT_API_KEY_FILE'];
  const values: Values = {
    SUPPORT_API_URL: options.supportApiUrl ?? env['SUPPORT_API_URL'],
    SUPPORT_API_KEY: keyFile ? undefined : env['SUPPORT_API_KEY'],
    SUPPORT_API_KEY_FILE: keyFile,
    ALLOWED_ORIGINS: options.allowedOrigins ?? env['ALLOWED_ORIGINS'],
    PUBLIC_URL: options.publicUrl ?? env['PUBLIC_URL'],
    TRUST_PROXY: options.trustProxy ?? env['TRUST_PROXY'],
  };
  await answer(values, cli);
  const missing = questions.filter(({ name, isNeeded = () => true }) => !values[name] && isNeeded(values));
  if (missing.length > 0) {
    out.note(`nobody is there to ask: give ${missing.map(({ flag }) => flag).join(', ')}`);
    return exitCodes.usage;
  }
  const { dataDir, publicUrl } = parseConfig({ ...values, DATA_DIR: env['DATA_DIR'] });
  const text = envFile({ ...values, ...freshSecrets(dataDir) });
  writeFileSync(file, text, { mode: 0o600, flag: options.force ? 'w' : 'wx' });
  // The mode above applies to a new file only.
  chmodSync(file, 0o600);
  out.line(`${file} is written. Keep a copy of it: without SECRET_KEY the store cannot be read.`);
  if (!isPrivate(publicUrl)) out.line(`${publicUrl} is http: browsers keep no session cookie there.`);
  out.line(
    `Next: start the server with the option --env ${options.file}, then run the command check with it.`,
  );
  return exitCodes.ok;
}

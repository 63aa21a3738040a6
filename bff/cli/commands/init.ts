import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../../core/settings/settings.ts';
import { parseConfig } from '../../config.ts';
import { isPrivate } from '../../core/settings/values.ts';
import { secretKeyFile } from '../../core/store/secret.ts';
import { sync } from '../../core/store/sqlite/sync.ts';
import { envFile, readEnvText } from '../env-file.ts';

interface InitOptions {
  file: string;
  force?: boolean;
  supportApiUrl?: string;
  supportApiKeyFile?: string;
  allowedOrigins?: string;
  publicUrl?: string;
  trustProxy?: string;
}

type Values = Record<string, string | undefined>;
const isSet = (values: Values, name: string) => Boolean(values[name] || values[`${name}_FILE`]);

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
    if (isSet(values, name) || !isNeeded(values)) continue;
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

/** Secrets that nobody needs to choose, where there is none yet. An existing store keeps its own key. */
function freshSecrets(values: Values, dataDir: string): Values {
  const hasKey = isSet(values, 'SECRET_KEY') || existsSync(secretKeyFile(dataDir));
  return {
    ...(!hasKey && { SECRET_KEY: randomBytes(32).toString('base64url') }),
    ...(!isSet(values, 'WEBHOOK_SECRET') && { WEBHOOK_SECRET: randomBytes(24).toString('base64url') }),
  };
}

/** The settings in a file that is replaced. They stay unless others are given, and its secrets in any case. */
const settingsIn = (file: string): Values =>
  existsSync(file) ? readEnvText(readFileSync(file, 'utf8'), file).values : {};

/** A setting that is given replaces the kept one, also if that is in a file of its own, or the other way round. */
function withGiven(kept: Values, given: Values): Values {
  const values = { ...kept };
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    delete values[name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`];
    values[name] = value;
  }
  return values;
}

/** Writes a new file that only its owner may read. What stood there is kept under another name, which is returned. */
function writePrivate(file: string, text: string): string | null {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
  const old = lstatSync(file, { throwIfNoEntry: false });
  const before = old ? `${file}.before-${new Date().toISOString().replaceAll(/[-:.]/g, '')}` : null;
  if (before) linkSync(file, before);
  if (before && old!.isFile()) chmodSync(before, 0o600);
  renameSync(draft, file);
  sync(dirname(file));
  return before;
}

/**
 * Writes a file of settings that only its owner may read.
 * @throws {ConfigError} when the given values are not a valid configuration; nothing is written then
 */
async function run(cli: Cli, options: InitOptions): Promise<ExitCode> {
  const { env, out } = cli;
  const file = resolve(options.file);
  if (existsSync(file) && !options.force) {
    out.note(`${file} exists: give --force to replace it, or --file to write another one`);
    return exitCodes.usage;
  }
  const keyFile = options.supportApiKeyFile ?? env['SUPPORT_API_KEY_FILE'];
  const given: Values = {
    SUPPORT_API_URL: options.supportApiUrl ?? env['SUPPORT_API_URL'],
    SUPPORT_API_KEY: keyFile ? undefined : env['SUPPORT_API_KEY'],
    SUPPORT_API_KEY_FILE: keyFile,
    ALLOWED_ORIGINS: options.allowedOrigins ?? env['ALLOWED_ORIGINS'],
    PUBLIC_URL: options.publicUrl ?? env['PUBLIC_URL'],
    TRUST_PROXY: options.trustProxy ?? env['TRUST_PROXY'],
  };
  const values = withGiven(settingsIn(file), given);
  await answer(values, cli);
  const missing = questions.filter(
    ({ name, isNeeded = () => true }) => !isSet(values, name) && isNeeded(values),
  );
  if (missing.length > 0) {
    out.note(`nobody is there to ask: give ${missing.map(({ flag }) => flag).join(', ')}`);
    return exitCodes.usage;
  }
  const { dataDir, publicUrl } = parseConfig({ ...values, DATA_DIR: env['DATA_DIR'] ?? values['DATA_DIR'] });
  const before = writePrivate(file, envFile({ ...values, ...freshSecrets(values, dataDir) }));
  if (before)
    out.line(`What stood there is in ${before}. Its settings are kept, except for those given now.`);
  out.line(`${file} is written. Keep a copy of it: without SECRET_KEY the store cannot be read.`);
  if (!isPrivate(publicUrl)) out.line(`${publicUrl} is http: browsers keep no session cookie there.`);
  out.line(
    `Next: start the server with the option --env ${options.file}, then run the command check with it.`,
  );
  return exitCodes.ok;
}

export const initCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('init')
    .description('write a file of settings with fresh secrets; asks for what is not given')
    .option('--file <file>', 'what to write', '.env')
    .option('--force', 'replace the file; its other settings and its secrets are kept')
    .option('--support-api-url <url>', 'the ticket service')
    .option('--support-api-key-file <file>', 'a file with its API key; without it the key is asked for')
    .option('--allowed-origins <origins>', 'the sites that may show the widget, separated by commas')
    .option('--public-url <url>', 'where browsers reach the BFF')
    .option('--trust-proxy <number>', 'how many proxies stand before it')
    .action(async (options: InitOptions) => onExit(await run(cli, options)));
};

import {
  type AddCommand,
  type Cli,
  type ExitCode,
  exitCodes,
  type Output,
} from '../../core/operator/command.ts';
import { systemClock } from '../../core/clock.ts';
import { type Environment, parseConfig, readTexts } from '../../config.ts';
import { type CheckContext, once, type Result, runChecks } from '../../core/operator/check.ts';
import { configurationChecks, originChecks } from '../checks/configuration.ts';
import { extras } from '../../extras/index.ts';
import { publicSessionChecks } from '../checks/public-session.ts';
import { publicChecks } from '../checks/public.ts';
import { serviceChecks } from '../checks/service.ts';
import { siteChecks } from '../checks/site.ts';
import { storeChecks } from '../checks/store.ts';
import { createRedaction, supportHeader } from '../redact.ts';
import { parseSites, readSites } from '../../sites.ts';
import { version, widgetDir } from '../../build.ts';

interface CheckOptions {
  json?: boolean;
  support?: boolean;
  mail?: string;
  site?: string;
}

const patienceMs = 10_000;

const colours = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'gray' } as const;

/** Every check, in the order in which they are shown. */
export const allChecks = (context: CheckContext) => [
  ...configurationChecks(context),
  ...serviceChecks(context),
  ...storeChecks(context),
  ...originChecks(context),
  ...publicChecks(context),
  ...publicSessionChecks(context),
  ...siteChecks(context),
  ...extras.flatMap((extra) => extra.checks?.(context) ?? []),
];

function write(out: Output, { name, level, says, fix }: Result): void {
  out.line(`${out.style(colours[level], level.padEnd(4))}  ${name.padEnd(19)} ${says}`);
  if (fix) out.line(`      ${' '.repeat(19)} ${out.style('bold', 'To do:')} ${fix}`);
}

const count = (results: readonly Result[], level: Result['level']) =>
  results.filter((result) => result.level === level).length;

/** Runs all checks of one site, and hides from the results what `--support` may not show. */
async function checkSite(
  env: Environment,
  { support = false, mail = '', site = '' }: CheckOptions,
  onResult: (result: Result) => void,
): Promise<Result[]> {
  const redact = support ? redactionOf(env) : (text: string) => text;
  const shown = (result: Result): Result => ({ ...result, says: redact(result.says) });
  const context = {
    env,
    config: once(() => {
      parseSites(env);
      return parseConfig(env);
    }),
    now: systemClock.now,
    patienceMs,
    mailTo: mail || null,
    site: site || null,
    build: { version, widgetDir },
  };
  const results = await runChecks(allChecks(context), (result) => onResult(shown(result)));
  return results.map(shown);
}

const redactionOf = (env: Environment) => createRedaction(readTexts(env));

/**
 * Tries everything that the BFF needs, for all its sites. Ends with 1 when a check fails, with 2 when the configuration is
 * not valid.
 */
async function run({ env, out }: Cli, options: CheckOptions): Promise<ExitCode> {
  const { json = false, support = false } = options;
  const onResult = (result: Result) => json || write(out, result);
  const about = support ? supportHeader(env, redactionOf(env)) : [];
  if (!json) for (const line of about) out.line(line);
  const checks = await checkSite(env, options, onResult);
  const isConfigured = checks.find(({ name }) => name === 'configuration')?.level !== 'fail';
  const sites: Record<string, Result[]> = {};
  for (const site of isConfigured ? readSites(env) : []) {
    if (!json) out.line(`\n${out.style('bold', `Site ${site.name}`)}`);
    sites[site.name] = await checkSite(site.env, { support }, onResult);
  }
  const results = [...checks, ...Object.values(sites).flat()];
  const failures = count(results, 'fail');
  if (json)
    out.json({
      ok: failures === 0,
      ...(support && { about }),
      checks,
      ...(Object.keys(sites).length > 0 && { sites }),
    });
  else
    out.line(
      `\n${failures} failed, ${count(results, 'warn')} to look at, ${count(results, 'skip')} skipped, ${count(results, 'ok')} well`,
    );
  return failures === 0 ? exitCodes.ok : isConfigured ? exitCodes.failure : exitCodes.usage;
}

export const checkCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('check')
    .description('try everything that the server needs, and say what to do')
    .option('--json', 'print the results as JSON')
    .option(
      '--support',
      'print a report for somebody who helps you, without secrets, addresses and full host names',
    )
    .option(
      '--site <url>',
      'also look at a page of the site, as a browser would: is the tag there, may it work',
    )
    .option('--mail <address>', 'also send a test mail to this address, which should be yours')
    .action(async (options: CheckOptions) => onExit(await run(cli, options)));
};

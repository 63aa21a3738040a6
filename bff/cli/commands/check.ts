import { systemClock } from '../../clock.ts';
import { parseConfig, settingNames } from '../../config.ts';
import { readSettings } from '../../setting-files.ts';
import type { Cli } from '../command.ts';
import { type CheckContext, once, type Result, runChecks } from '../checks/check.ts';
import { configurationChecks } from '../checks/configuration.ts';
import { mailChecks } from '../checks/mail.ts';
import { originChecks } from '../checks/origins.ts';
import { publicSessionChecks } from '../checks/public-session.ts';
import { publicChecks } from '../checks/public.ts';
import { serviceChecks } from '../checks/service.ts';
import { storeChecks } from '../checks/store.ts';
import { type ExitCode, exitCodes, type Output } from '../terminal/output.ts';
import { createRedaction } from '../redact.ts';
import { supportHeader } from '../support.ts';
import { version } from '../../version.ts';
import { widgetDir } from '../../widget-dir.ts';

export interface CheckOptions {
  json?: boolean;
  support?: boolean;
}

const patienceMs = 10_000;

const colours = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'gray' } as const;

/** Every check, in the order in which they are shown. */
export const allChecks = (context: CheckContext) => [
  ...configurationChecks(context),
  ...serviceChecks(context),
  ...storeChecks(context),
  ...mailChecks(context),
  ...originChecks(context),
  ...publicChecks(context),
  ...publicSessionChecks(context),
];

function write(out: Output, { name, level, says, mend }: Result): void {
  out.line(`${out.style(colours[level], level.padEnd(4))}  ${name.padEnd(19)} ${says}`);
  if (mend) out.line(`      ${' '.repeat(19)} ${out.style('bold', 'To do:')} ${mend}`);
}

const count = (results: readonly Result[], level: Result['level']) =>
  results.filter((result) => result.level === level).length;

/** Tries everything that the BFF needs. Ends with 1 when a check fails, with 2 when the configuration is not valid. */
export async function run(
  { env, out }: Cli,
  { json = false, support = false }: CheckOptions,
): Promise<ExitCode> {
  const config = once(() => parseConfig(env));
  const redact = support ? createRedaction(readSettings(settingNames, env).values) : (text: string) => text;
  const shown = (result: Result): Result => ({ ...result, says: redact(result.says) });
  if (support && !json) for (const line of supportHeader(env, redact)) out.line(line);
  const build = { version, widgetDir };
  const context = { env, config, now: systemClock.now, patienceMs, build };
  const results = await runChecks(allChecks(context), (result) => json || write(out, shown(result)));
  const failures = count(results, 'fail');
  if (json)
    out.json({
      ok: failures === 0,
      ...(support && { about: supportHeader(env, redact) }),
      checks: results.map(shown),
    });
  else
    out.line(
      `\n${failures} failed, ${count(results, 'warn')} to look at, ${count(results, 'skip')} skipped, ${count(results, 'ok')} well`,
    );
  const isConfigured = results.find(({ name }) => name === 'configuration')?.level !== 'fail';
  return failures === 0 ? exitCodes.ok : isConfigured ? exitCodes.failure : exitCodes.usage;
}

import type { Config } from '../config.ts';
import { explain } from './command.ts';

/** What every check is given. */
export interface CheckContext {
  env: Record<string, string | undefined>;
  /** @throws {ConfigError} so a check that calls it needs `configuration` */
  config: () => Config;
  /** Unix milliseconds. */
  now: () => number;
  /** How long an answer may take. */
  patienceMs: number;
  /** Where a test mail goes. Null: none is sent. */
  mailTo: string | null;
  /** The address of a page that should show the widget. Null: none is looked at. */
  site: string | null;
  /** The build that should answer at `PUBLIC_URL`. */
  build: { version: string; widgetDir: string };
}

export interface Finding {
  level: 'ok' | 'warn' | 'fail' | 'skip';
  /** The finding, in one sentence. */
  says: string;
  /** What to do about it. Undefined: the advice of the check. */
  fix?: string;
}

export interface Check {
  name: string;
  /** The names of earlier checks that must pass. Without them the check is skipped. */
  needs: readonly string[];
  run: () => Finding | Promise<Finding>;
  /** What the operator should do when the check fails. */
  fix: string;
}

export interface Result extends Finding {
  name: string;
}

/** A finding without a problem. Like the following, it is one sentence; `fix` replaces the advice of the check. */
export const ok = (says: string): Finding => ({ level: 'ok', says });
export const warn = (says: string, fix?: string): Finding => ({
  level: 'warn',
  says,
  ...(fix && { fix }),
});
export const fail = (says: string, fix?: string): Finding => ({
  level: 'fail',
  says,
  ...(fix && { fix }),
});
export const skip = (says: string): Finding => ({ level: 'skip', says });

async function resultOf({ name, run, fix }: Check): Promise<Result> {
  const finding = await Promise.resolve()
    .then(run)
    .catch((error: unknown) => fail(explain(error)));
  const isGood = finding.level === 'ok' || finding.level === 'skip';
  return { name, ...finding, ...(!isGood && { fix: finding.fix ?? fix }) };
}

/** Runs checks in order. A check is skipped when one that it needs has failed or was skipped. Never rejects. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: Result) => void = () => {},
): Promise<Result[]> {
  const results = new Map<string, Result>();
  for (const check of checks) {
    const missing = check.needs.map((name) => results.get(name)!).find(({ level }) => !/ok|warn/.test(level));
    const reason = missing?.level === 'skip' ? 'was skipped' : 'failed';
    const result: Result = missing
      ? { name: check.name, ...skip(`not tried: ${missing.name} ${reason}`) }
      : await resultOf(check);
    results.set(check.name, result);
    onResult(result);
  }
  return [...results.values()];
}

/** Runs `make` once, for several checks that use one result. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

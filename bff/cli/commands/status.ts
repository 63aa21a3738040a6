import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { createLedgerCounts } from '../../core/delivery/operator.ts';
import type { Config } from '../../core/config.ts';
import { isWritable } from '../../core/store/inspect.ts';
import { errorCode } from '../../core/v1/failure.ts';
import { extras } from '../../extras/index.ts';
import { ask, jsonOf } from '../ask.ts';
import { withStore } from '../open-store.ts';
import { readableAge } from './operations.ts';

/** The answer of `/readyz`. */
interface Readiness {
  ready: boolean;
  service: boolean;
  problem: { advice: string } | null;
  sites?: Record<string, Readiness>;
}

const timeoutMs = 5_000;

/** The address of the admin port on this machine. */
function adminUrl({ adminHost: host, adminPort }: Config): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${adminPort}/readyz`;
}

/** @param site undefined for the main site */
async function readinessAt(url: string, site: string | undefined): Promise<Readiness | string> {
  try {
    const answer = await ask(url, { timeoutMs });
    const { data } = (jsonOf(answer) ?? {}) as { data?: Readiness };
    if (typeof data?.ready !== 'boolean') return `something else answers at ${url}`;
    return site ? (data.sites?.[site] ?? `the server at ${url} does not serve the site ${site}`) : data;
  } catch (error) {
    return `no server answers at ${url} (${errorCode(error)})`;
  }
}

/** The state of the running server and of its deliveries. Ends with 1 when it is not ready. */
const run = (cli: Cli, { json = false }: { json?: boolean }): Promise<ExitCode> =>
  withStore(cli, async ({ config, store, clock }) => {
    const readiness = await readinessAt(adminUrl(config), cli.site);
    const isRunning = typeof readiness !== 'string';
    const counts = createLedgerCounts({ store, now: clock.now });
    const deliveries: Record<string, number> = {};
    for (const { state, count } of await counts.byKindAndState())
      deliveries[state] = (deliveries[state] ?? 0) + count;
    const more: Record<string, number> = {};
    for (const extra of extras) Object.assign(more, await extra.status?.(store));
    const status = {
      running: isRunning,
      ready: isRunning && readiness.ready,
      service_usable: isRunning ? readiness.service : null,
      problem: isRunning ? (readiness.problem?.advice ?? null) : readiness,
      store_writable: await isWritable(store),
      deliveries,
      undecided: await counts.undecided(),
      oldest_undelivered_sec: Math.max(...Object.values(await counts.oldestUndeliveredSec())),
      ...more,
    };
    const isGood = status.ready && status.store_writable;
    if (json) cli.out.json(status);
    else {
      const { out } = cli;
      const yes = (is: boolean | null) => (is ? 'yes' : out.style('red', is === null ? 'not known' : 'no'));
      const states = Object.entries(deliveries).map(([state, count]) => `${count} ${state}`);
      out.line(`ready               ${yes(status.ready)}`);
      out.line(`ticket service      ${yes(status.service_usable)}`);
      out.line(`store writable      ${yes(status.store_writable)}`);
      out.line(`deliveries          ${states.join(', ') || 'none'}`);
      out.line(`undecided           ${status.undecided}`);
      out.line(`oldest undelivered  ${readableAge(status.oldest_undelivered_sec * 1_000)}`);
      for (const [name, count] of Object.entries(more))
        if (count > 0) out.line(`${name.replaceAll('_', ' ').padEnd(20)}${count}`);
      if (status.problem) out.line(`\n${status.problem}`);
    }
    return isGood ? exitCodes.ok : exitCodes.failure;
  });

export const statusCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('status')
    .description('the state of the running server and of its deliveries')
    .option('--json', 'print it as JSON')
    .action(async (options: { json?: boolean }) => onExit(await run(cli, options)));
};

import { createAdmin } from './core/http/admin.ts';
import { pathBelow } from './core/http/base-path.ts';
import { loadAssets } from './core/http/files/assets.ts';
import type { Config } from './core/config.ts';
import { createLog, type Log, logUnexpected } from './core/log/log.ts';
import { createMetrics, declareProcess } from './core/metrics/metrics.ts';
import type { misspelt } from './config.ts';
import { openFurtherSite, openSite, type RunningSite } from './running-site.ts';
import { close, listen } from './server.ts';
import type { FurtherSite } from './sites.ts';
import { widgetDir } from './build.ts';

const drainMs = 10_000;
const finishSendsMs = 7_000;

/*
 * The process: its ports, its sites, and how it starts and stops. Of a site it knows only what `RunningSite` has.
 */

/** The main site, and then those of `SITES_FILE`. */
type Sites = readonly [RunningSite, ...RunningSite[]];

/** Gives each request to the app of its site. Those of `SITES_FILE` are below `/sites/<name>`, the main one has the rest. */
function fetchOf([mainSite, ...furtherSites]: Sites, { publicUrl }: Config): RunningSite['app']['fetch'] {
  if (furtherSites.length === 0) return mainSite.app.fetch;
  const byName = new Map(furtherSites.map((site) => [site.name, site]));
  const pathOf = pathBelow(publicUrl);
  return (request, ...rest) => {
    const name = /^\/sites\/([^/]+)/.exec(pathOf(request))?.[1];
    return (byName.get(name) ?? mainSite).app.fetch(request, ...rest);
  };
}

/** Serves browsers at the public port. */
const listenToBrowsers = (sites: Sites, config: Config, log: Log) =>
  listen(fetchOf(sites, config), config.host, config.port, {
    isBehindProxy: config.trustedProxies > 0,
    onRefused() {
      sites[0].metrics.limitRefusals.inc({ limit: 'connections-ip' });
      log.report('connection_refused');
    },
  });

/** Ends what is running in order. If that takes too long, the process ends at once. */
async function stopServer(
  sites: Sites,
  servers: readonly Parameters<typeof close>[0][],
  log: Log,
): Promise<void> {
  setTimeout(() => {
    log.report('stop_too_slow');
    process.exit(1);
  }, drainMs).unref();
  const closed = Promise.all(servers.map(close));
  await Promise.all(sites.map((site) => site.stop(finishSendsMs, closed)));
  log.info('stopped');
}

/**
 * Runs the server until a signal ends the process.
 * @param config of the process and of its main site
 * @param further the sites of `SITES_FILE`
 * @throws when it cannot start: store, secret key, widget's files, ports
 */
export async function serve(
  config: Config,
  further: readonly FurtherSite[],
  unknownNames: ReturnType<typeof misspelt>,
): Promise<void> {
  const log = createLog(config.logLevel);
  logUnexpected(log);
  const metrics = createMetrics();
  declareProcess(metrics.registry);
  const assets = loadAssets(widgetDir);
  const mainSite = await openSite({ config, assets, metrics, log });
  const furtherSites: RunningSite[] = [];
  for (const site of further)
    furtherSites.push(
      await openFurtherSite({ ...site, assets, log: createLog(config.logLevel, undefined, site.name) }),
    );
  const sites: Sites = [mainSite, ...furtherSites];

  let isStopping = false;
  const admin = await listen(
    createAdmin({ sites, log, isStopping: () => isStopping }).fetch,
    config.adminHost,
    config.adminPort,
  );
  const server = await listenToBrowsers(sites, config, log);
  for (const site of sites) await site.start();
  for (const { name, meant } of unknownNames) log.report('setting_unknown', { name, meant });
  log.info('ready', {
    address: server.address(),
    admin: admin.address(),
    public_url: config.publicUrl,
    ...(further.length > 0 && { sites: further.map(({ name }) => name) }),
  });

  function onSignal(signal: NodeJS.Signals): void {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping', { signal });
    void stopServer(sites, [server, admin], log);
  }
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

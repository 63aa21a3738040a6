import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, initWorkspace, type Running, startNode, untilUp } from '../../scripts/processes.ts';
import { type HostSite, startHostSite } from './host-site.ts';
import { newStore } from './journey-store.ts';
import { prepareLeakScan } from './leaks.ts';

const serviceEntry = 'dist/service/main.js';
const bffEntry = 'dist/bff/main.js';

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Those of this worker. */
export const runningStacks = new Set<{ lines: readonly string[] }>();

/** Of the BFF. */
type Settings = Record<string, string>;

const forJourneys: Settings = {
  BRAND_NAME: 'Acme',
  LOG_LEVEL: 'trace',
  // The default is longer than a test should wait for a badge.
  WATCH_IDLE_MS: '1000',
  // All journeys come from one address.
  LIMIT_TICKETS_PER_SESSION: '10000',
  LIMIT_TICKETS_PER_IP: '10000',
  LIMIT_TICKETS_PER_ADDRESS: '10000',
};

/** A workspace of a new service, and the file that the BFF reads its API key from. */
async function initService(dir: string, serviceDir: string) {
  const workspace = await initWorkspace(
    serviceEntry,
    serviceDir,
    '--workspace',
    'Acme',
    '--agent',
    'agent@example.com',
  );
  const keyFile = join(dir, 'support_api_key');
  await writeFile(keyFile, workspace.api_key, { mode: 0o600 });
  return { workspace, keyFile };
}

/**
 * `forBff` goes to the BFF on top of what it needs; `origins` says which sites may show the widget; `between` gets the
 * service's address and returns the one that the BFF uses.
 */
export async function startStack(
  forBff: Settings | ((host: HostSite) => Settings) = {},
  origins: (host: HostSite) => string[] = ({ origin }) => [origin],
  between: (serviceUrl: string) => Promise<string> = async (serviceUrl) => serviceUrl,
) {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-e2e-'));
  const serviceDir = join(dir, 'service');
  const bffDir = join(dir, 'bff');
  const lines: string[] = [];
  const bffLines: string[] = [];
  const keepLine = (line: string) => lines.push(line);
  function keepBffLine(line: string): void {
    bffLines.push(line);
    keepLine(line);
  }
  const [host, bffPort, adminPort, servicePort] = await Promise.all([
    startHostSite(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const store = await newStore(bffDir);
  const env = typeof forBff === 'function' ? forBff(host) : forBff;
  const bffUrl = `http://localhost:${bffPort}`;
  const serviceUrl = `http://localhost:${servicePort}`;
  const { workspace, keyFile } = await initService(dir, serviceDir);

  const startService = async () => {
    const settings = {
      PORT: String(servicePort),
      DATA_DIR: serviceDir,
      PUBLIC_URL: serviceUrl,
      FILE_HOSTS: bffUrl,
    };
    const service = startNode(serviceEntry, settings, keepLine);
    await untilUp(`${serviceUrl}/livez`, service);
    return service;
  };
  const upstreamUrl = await between(serviceUrl);
  const startBff = async (ports: { bffPort: number; adminPort: number }, entry = bffEntry) => {
    const settings = {
      ...forJourneys,
      SUPPORT_API_URL: upstreamUrl,
      ...(env['SUPPORT_API_KEY'] === undefined && { SUPPORT_API_KEY_FILE: keyFile }),
      ALLOWED_ORIGINS: origins(host).join(),
      PUBLIC_URL: bffUrl,
      PORT: String(ports.bffPort),
      ADMIN_PORT: String(ports.adminPort),
      ...store,
      ...env,
    };
    const bff = startNode(entry, settings, keepBffLine);
    await untilUp(`http://localhost:${ports.adminPort}/readyz`, bff);
    return bff;
  };

  host.bffUrl = bffUrl;
  const others: Running[] = [];
  const stack = {
    host,
    bffUrl,
    /** The BFF's port for operators. */
    adminUrl: `http://localhost:${adminPort}`,
    /** The BFF's `DATA_DIR`. */
    bffDir,
    /** The BFF's settings of its store. */
    store,
    /** Its `SUPPORT_API_KEY_FILE`, unless its settings have a key. */
    keyFile,
    serviceUrl,
    workspace,
    /** All that BFF and service have logged. */
    lines,
    service: await startService(),
    bff: await startBff({ bffPort, adminPort }),
    /** Starts the service again after `service.stop()`, on the same port and data. */
    async restartService(): Promise<void> {
      stack.service = await startService();
    },
    /** `entry`: of another build. */
    async restartBff(entry?: string): Promise<void> {
      stack.bff = await startBff({ bffPort, adminPort }, entry);
    },
    /** Ends the BFF as a power cut would. */
    async killBff(): Promise<void> {
      stack.bff.child.kill('SIGKILL');
      await stack.bff.exited;
    },
    /** Another BFF on the same data, under the same public address. */
    async startSecondBff(): Promise<{ url: string; bff: Running }> {
      const ports = { bffPort: await freePort(), adminPort: await freePort() };
      const bff = await startBff(ports);
      others.push(bff);
      return { url: `http://localhost:${ports.bffPort}`, bff };
    },
    /** @throws when a log line or a metric of the BFF has data of a customer, or a key */
    async stop(): Promise<void> {
      runningStacks.delete(stack);
      const refuseLeaks = await prepareLeakScan(stack);
      const running = [stack.bff, stack.service, ...others];
      await Promise.all([...running.map((each) => each.stop()), host.stop()]);
      await rm(dir, { recursive: true, force: true });
      refuseLeaks(bffLines);
    },
  };
  runningStacks.add(stack);
  return stack;
}

import { freePort, startNode, untilUp } from '../../../scripts/processes.ts';

/** High enough that no limit is reached, and the highest that is taken. */
const unlimited = String(1_000_000);

/** The built BFF as a process of its own, before this service, without limits. `env` is added to its settings. */
export async function startBuiltBff(serviceUrl: string, dir: string, env: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const begun = performance.now();
  const running = startNode('dist/bff/main.js', {
    SUPPORT_API_URL: serviceUrl,
    SUPPORT_API_KEY: 'bench',
    ALLOWED_ORIGINS: 'http://shop.test',
    PUBLIC_URL: url,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATA_DIR: dir,
    TRUST_PROXY: '1',
    POW: 'off',
    LIMIT_TICKETS_PER_SESSION: unlimited,
    LIMIT_TICKETS_PER_IP: unlimited,
    LIMIT_TICKETS_PER_ADDRESS: unlimited,
    LIMIT_MESSAGES_PER_SESSION: unlimited,
    LIMIT_REQUESTS_PER_IP: unlimited,
    LOG_LEVEL: 'error',
    ...env,
  });
  await untilUp(`${adminUrl}/readyz`, running);
  const readyMs = performance.now() - begun;
  return { url, adminUrl, child: running.child, readyMs, stop: running.stop };
}

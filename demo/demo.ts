import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildIfNeeded } from '../scripts/build-if-needed.ts';
import { startMailServer } from '../scripts/mail-server.ts';
import {
  initWorkspace,
  isPortFree,
  type Running,
  startNode,
  untilUp,
  type Workspace,
} from '../scripts/processes.ts';
import { createDemoSite } from './site.ts';

const dataDir = process.env['DEMO_DATA_DIR'] ?? '.data';
const articlesDir = process.env['ARTICLES_DIR'] ?? 'demo/articles';
const workspaceFile = join(dataDir, 'demo-workspace.json');
const serviceEntry = 'dist/service/main.js';

const portOf = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const ports = {
  SHOP_PORT: portOf('SHOP_PORT', 8080),
  BFF_PORT: portOf('BFF_PORT', 4000),
  BFF_ADMIN_PORT: portOf('BFF_ADMIN_PORT', 4100),
  SERVICE_PORT: portOf('SERVICE_PORT', 4001),
};
const url = (port: number) => `http://localhost:${port}`;

/** The demo's workspace, created and filled at the first start, and kept after that. */
async function demoWorkspace(): Promise<Workspace> {
  const known = await readFile(workspaceFile, 'utf8').catch(() => null);
  if (known) return JSON.parse(known);
  await mkdir(dataDir, { recursive: true });
  const webhook = `${url(ports.BFF_PORT)}/hooks/tickets/${randomUUID()}`;
  const args = [
    '--workspace',
    'Kettle & Clay',
    '--agent',
    'agent@example.com',
    '--webhook',
    webhook,
    '--demo',
  ];
  const workspace = await initWorkspace(serviceEntry, join(dataDir, 'service'), ...args);
  await writeFile(workspaceFile, JSON.stringify(workspace), { mode: 0o600 });
  await chmod(workspaceFile, 0o600);
  return workspace;
}

/** Of the address that answers to mails are posted to. */
const mailSecret = randomUUID();

/** The secret in the webhook's address, and the one that signs. Older workspaces have no webhook. */
const webhookSecrets = ({ webhook }: Workspace): Record<string, string> =>
  webhook ? { WEBHOOK_SECRET: `${webhook.url.split('/').at(-1)},${webhook.secret}` } : {};

interface Server {
  name: string;
  entry: string;
  upUrl: string;
  env: Record<string, string>;
}

const serversOf = (workspace: Workspace, smtpUrl: string): Server[] => [
  {
    name: 'service',
    entry: serviceEntry,
    upUrl: `${url(ports.SERVICE_PORT)}/livez`,
    env: {
      PORT: String(ports.SERVICE_PORT),
      DATA_DIR: join(dataDir, 'service'),
      PUBLIC_URL: url(ports.SERVICE_PORT),
      FILE_HOSTS: url(ports.BFF_PORT),
    },
  },
  {
    name: 'bff',
    entry: 'dist/bff/main.js',
    upUrl: `${url(ports.BFF_ADMIN_PORT)}/readyz`,
    env: {
      SUPPORT_API_URL: url(ports.SERVICE_PORT),
      SUPPORT_API_KEY: workspace.api_key,
      ALLOWED_ORIGINS: url(ports.SHOP_PORT),
      PUBLIC_URL: url(ports.BFF_PORT),
      PORT: String(ports.BFF_PORT),
      ADMIN_PORT: String(ports.BFF_ADMIN_PORT),
      DATA_DIR: join(dataDir, 'bff'),
      ...webhookSecrets(workspace),
      BRAND_NAME: 'Kettle & Clay',
      BRAND_COLOR: '#a8482a',
      BRAND_LOGO: `data:image/svg+xml;base64,${readFileSync('demo/shop/img/icon.svg', 'base64')}`,
      SUPPORT_HOURS: 'Mo-Fr 08:00-20:00 Europe/London; Sa-Su 10:00-16:00',
      REPLY_TIME: '2 hours',
      ARTICLES_DIR: articlesDir,
      FORM_FILE: 'demo/form.json',
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'support@kettle-and-clay.example',
      MAIL_REPLY_TO: 'support+{token}@kettle-and-clay.example',
      MAIL_IN: 'hook',
      MAIL_IN_SECRET: mailSecret,
      CONFIRM_EMAIL: 'on',
      NOTIFY_EMAIL: 'on',
      // Nobody waits five minutes to see a mail for the first time.
      NOTIFY_AFTER_MS: '5000',
      RATINGS: 'on',
      START_LINKS: `My orders ${url(ports.SHOP_PORT)}/orders.html`,
      PLAYGROUND: 'on',
      // Users of the demo open many tickets under one address.
      LIMIT_TICKETS_PER_ADDRESS: '1000',
      LIMIT_TICKETS_PER_SESSION: '1000',
      LIMIT_TICKETS_PER_IP: '1000',
    },
  },
];

/** As a mail provider does. */
async function deliverMail(mail: Buffer): Promise<void> {
  const response = await fetch(`${url(ports.BFF_PORT)}/hooks/mail/${mailSecret}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: new Uint8Array(mail),
  });
  if (!response.ok) throw new Error(`the BFF answered ${response.status} to a mail`);
}

/**
 * Service, BFF and shop, each on its own port of localhost; the data of an earlier run are kept.
 * @throws when a port is in use, the build fails or a server does not come up
 */
export async function startDemo({
  onEnd,
  liveReload,
}: {
  onEnd: (reason: string) => void;
  liveReload: boolean;
}) {
  for (const [name, port] of Object.entries(ports)) {
    if (!(await isPortFree(port))) throw new Error(`port ${port} is in use: choose another with ${name}=…`);
  }
  await buildIfNeeded();
  const workspace = await demoWorkspace();
  const mail = await startMailServer();
  const servers = serversOf(workspace, mail.url);
  let running: Running[] = [];
  let isStopping = false;

  async function stopServers(): Promise<void> {
    isStopping = true;
    await Promise.all(running.map((server) => server.stop()));
    running = [];
  }

  async function startServers(): Promise<void> {
    isStopping = false;
    for (const { name, entry, upUrl, env } of servers) {
      const server = startNode(entry, { LOG_LEVEL: 'warn', ...env }, (line) =>
        console.log(`[${name}] ${line}`),
      );
      running.push(server);
      void server.exited.then((code) => {
        if (!isStopping) onEnd(`the ${name} ended with code ${code}`);
      });
      await untilUp(upUrl, server);
    }
  }

  await startServers();
  const site = await createDemoSite({
    bffUrl: url(ports.BFF_PORT),
    port: ports.SHOP_PORT,
    liveReload,
    mails: mail.mails,
    deliver: deliverMail,
  });
  mail.answers.onTaken = async () => site.reloadMails();
  console.log(`
  Shop        ${url(ports.SHOP_PORT)}
  Desk        ${url(ports.SERVICE_PORT)}/desk
              sign in with ${workspace.agent.email} / ${workspace.agent.password}
  Mails       ${url(ports.SHOP_PORT)}/mails
  Playground  ${url(ports.BFF_PORT)}/playground

  Open a ticket in the shop, answer it at the desk, and read and answer what was mailed.
  Ctrl-C stops everything; tickets are kept in ${dataDir}/
`);
  return {
    site,
    /** With the files of the new build. */
    async restart(): Promise<void> {
      await stopServers();
      await startServers();
    },
    async stop(): Promise<void> {
      await Promise.all([stopServers(), site.close(), mail.stop()]);
    },
  };
}

export type Demo = Awaited<ReturnType<typeof startDemo>>;

import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino, destination } from 'pino';
import { isEmail } from './api/schemas.ts';
import { parseConfig, type Config } from './config.ts';
import { openDatabase, type Db } from './db/open.ts';
import { seedDemo } from './demo-data.ts';
import { sentences } from './desk/sentences/sentences.ts';
import { addAgent, initWorkspace, RefusedError } from './init.ts';
import { startService } from './server.ts';
import { createEndpoint, endpointFault } from './webhooks/endpoints.ts';
import { eventTypes } from './webhooks/events.ts';

const usage = `Usage:
  main.js                    serve (settings: see service/README.md)
  main.js init --workspace <name> --agent <email> [--password <password>] [--webhook <url>] [--demo]
                             create a workspace with one agent and one API key, and a webhook endpoint if asked for,
                             printed once as JSON
  main.js agent --workspace <name> --agent <email> [--password <password>]
                             add an agent to a workspace, printed once as JSON`;

const minPasswordLength = 8;

function fail(message: string, exitCode: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

function openStore({ dataDir }: Config): Db {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'service.sqlite');
  for (const each of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(each)) keepPrivate(each);
  return openDatabase(file);
}

/** Removes all other users' permissions from an existing file. */
function keepPrivate(file: string): void {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch {
    process.stderr.write(`others on this machine may read ${file}: its mode cannot be changed\n`);
  }
}

async function runServe(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel, base: null }, destination({ sync: true }));
  const service = await startService(config, openStore(config), log);
  log.info({ host: config.host, port: service.port, desk: `${config.publicUrl}/desk` }, 'listening');
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function runCreate(command: 'init' | 'agent', config: Config, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      agent: { type: 'string' },
      password: { type: 'string' },
      demo: { type: 'boolean' },
      webhook: { type: 'string' },
    },
  });
  const workspace = values.workspace?.trim();
  const agent = values.agent?.trim();
  if (!workspace || !agent) fail(usage, 2);
  if (command === 'agent' && (values.demo || values.webhook)) fail(usage, 2);
  if (!isEmail(agent)) fail('--agent must be an e-mail address', 2);
  if (values.password !== undefined && values.password.length < minPasswordLength)
    fail(`--password must have at least ${minPasswordLength} characters`, 2);
  const webhook = values.webhook && { url: values.webhook, events: eventTypes };
  const webhookFault = webhook && endpointFault(webhook.url, webhook.events);
  if (webhookFault) fail(`--webhook: ${sentences.faults.endpoint[webhookFault]}`, 2);
  const db = openStore(config);
  const now = new Date();
  const input = { workspace, agent, password: values.password };
  let printed: object;
  if (command === 'agent') printed = await addAgent(db, input, now);
  else {
    const { agent_id: agentId, ...result } = await initWorkspace(db, input, now);
    if (values.demo) seedDemo(db, result.workspace_id, agentId, now);
    const secret = webhook && createEndpoint(db, result.workspace_id, webhook, now);
    printed = { ...result, ...(webhook && { webhook: { url: webhook.url, secret } }) };
  }
  db.close();
  process.stdout.write(`${JSON.stringify(printed)}\n`);
}

async function main([command, ...args]: string[]): Promise<void> {
  // SECURITY: the store holds customers' texts and webhook secrets: no other user of the machine may read it.
  process.umask(0o077);
  if (command === '--help' || command === 'help') process.stdout.write(`${usage}\n`);
  else if (command === 'init' || command === 'agent')
    await runCreate(command, parseConfig(process.env), args);
  else if (command === undefined || command === 'serve') await runServe(parseConfig(process.env));
  else fail(`Unknown command ${command}\n${usage}`, 2);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof RefusedError) fail(`Nothing was created: ${error.message}.`, 3);
  if (!(error instanceof Error)) fail(String(error), 1);
  if ('code' in error && error.code === 'EADDRINUSE') fail(`The port is in use: ${error.message}`, 1);
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    fail(`${error.message}\n${usage}`, 2);
  fail(error.message, 1);
});

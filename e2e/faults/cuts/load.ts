import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { filesPath, type UploadedFile } from '../../../shared/contract/files.ts';
import { paths } from '../../../shared/contract/paths.ts';
import type { Ticket } from '../../../shared/contract/tickets.ts';
import { type FakeService, startFakeService } from '../../../scripts/fake-service.ts';
import { freePort, spawnOwned, untilUp } from '../../../scripts/processes.ts';
import { createBrowser } from '../customers/browser.ts';
import { benchSettings } from '../servers/bff.ts';
import { createDisk, type Disk } from './disk.ts';
import { readRecord, recordingIn, type Step } from './record.ts';

/* Programs of the BFF while their system calls are recorded. */

export interface Recording {
  /** As it was before. */
  disk: Disk;
  steps: readonly Step[];
}

/** What customers send in one life of the server. */
export interface Load {
  customers: number;
  replies: number;
}

/** Starts a program of the BFF, recorded in a file. */
function start(entry: string, args: readonly string[], env: Record<string, string>, record: string) {
  const [command, ...more] = [...recordingIn(record), process.execPath, entry, ...args];
  // Calls by way of a ring would not be seen.
  const ours = { PATH: process.env['PATH'], UV_USE_IO_URING: '0' };
  const running = spawnOwned(command!, more, {
    env: { ...ours, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.child.stdout!.resume();
  return running;
}

/** The settings of commands, and of a server that sends nothing. */
export const operator = {
  ...benchSettings,
  SUPPORT_API_URL: 'http://127.0.0.1:9',
  SUPPORT_API_KEY: 'a-key-of-the-bench',
};

/** Customers who open tickets and reply, one message after the other, some with a file. */
async function send({ customers, replies }: Load, url: string): Promise<void> {
  const dispatcher = new Agent();
  async function act(number: number): Promise<void> {
    const browser = createBrowser({
      bffUrl: () => url,
      address: `203.0.113.${number + 1}`,
      dispatcher,
    });
    let ticket: Ticket | undefined;
    for (let nth = 0; nth <= replies; nth += 1) {
      const key = randomUUID();
      const text = `Send ${key} of a customer. ${'It is chipped. '.repeat(nth * 10)}`;
      const file = { name: `${key}.txt`, text, isCut: false };
      const uploaded =
        nth % 3 === 1 && (await browser.ask<UploadedFile>('POST', filesPath, { key: randomUUID(), file }));
      const files = uploaded && uploaded.data ? { files: [uploaded.data.id] } : {};
      const [path, body] = ticket
        ? [paths.messages(ticket.id ?? ticket.key!), { body: text, ...files }]
        : [
            paths.tickets,
            { subject: 'The lid', description: text, customer_email: `a${number}@example.com` },
          ];
      const answer = await browser.ask<Ticket>('POST', path, { key, body });
      if (!answer?.data) throw new Error(`not taken: ${answer?.status} ${answer?.error}`);
      ticket ??= answer.data;
    }
  }
  try {
    await Promise.all(Array.from({ length: customers }, (_, number) => act(number)));
  } finally {
    await dispatcher.destroy();
  }
}

/** One of eight writes breaks, half of these once it is executed. */
function breakSome(service: FakeService): void {
  let writes = 0;
  service.answer = function answer(call) {
    if (call.method !== 'POST') return undefined;
    writes += 1;
    if (writes % 8 !== 0) return undefined;
    service.answer = undefined;
    if (writes % 16 === 0) service.respond(call);
    service.answer = answer;
    return new Error('the connection broke');
  };
}

/**
 * Records two lives of a server whose data are in `root`. The first is killed, the second is asked to stop. `port` and
 * `servicePort`: where it listens, and where its ticket service does.
 */
export async function recordServer(
  entry: string,
  root: string,
  load: Load,
): Promise<{ steps: Step[]; port: number; servicePort: number }> {
  const record = join(mkdtempSync(join(tmpdir(), 'deskside-record-')), 'record');
  const [port, adminPort] = [await freePort(), await freePort()];
  const service = await startFakeService();
  breakSome(service);
  const url = `http://127.0.0.1:${port}`;
  const ports = { PUBLIC_URL: url, PORT: String(port), ADMIN_PORT: String(adminPort) };
  const env = { ...operator, ...ports, SUPPORT_API_URL: service.url, DATA_DIR: join(root, 'data') };
  let pid: number;
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const running = start(entry, [], env, record);
    pid = running.child.pid!;
    await untilUp(`http://127.0.0.1:${adminPort}/livez`, running);
    await send(load, url);
    // The record would lack a call that the signal interrupts.
    await sleep(500);
    await running.stop(signal);
  }
  await service.stop();
  const steps = await readRecord(record, root, pid!);
  rmSync(dirname(record), { recursive: true });
  return { steps, port, servicePort: Number(new URL(service.url).port) };
}

/**
 * Records how a command of the operator changes `root`.
 * @throws when it fails
 */
export async function recordCommand(
  entry: string,
  args: readonly string[],
  root: string,
  dataDir: string,
): Promise<Recording> {
  const record = join(mkdtempSync(join(tmpdir(), 'deskside-record-')), 'record');
  const disk = createDisk(root);
  const running = start(entry, args, { ...operator, DATA_DIR: dataDir }, record);
  const code = await running.exited;
  if (code !== 0) throw new Error(`${args.join(' ')} ends with ${code}`);
  const steps = await readRecord(record, root, running.child.pid!);
  rmSync(dirname(record), { recursive: true });
  return { disk, steps };
}

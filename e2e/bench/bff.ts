import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { gateHeader, idempotencyHeader, paths } from '../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { freePort, startNode, untilUp } from '../../scripts/processes.ts';
import { startBuiltBff } from './built-bff.ts';
import { startSlimService } from './slim-service.ts';

const connections = 50;
const seconds = Number(process.env['SECONDS'] ?? 3);
const rounds = Number(process.env['ROUNDS'] ?? 3);

/** Where to write a CPU profile of the BFF; none without it. */
const profileFile = process.env['PROFILE_FILE'];
/** Of a customer and a ticket each, for sends: those to one ticket go one after the other. */
const senders = 200;

interface Load {
  url: string;
  headers?: Record<string, string>;
  /** Makes each request a POST of this body, under a key of its own; in turn to each of `to`. */
  body?: object;
  to?: { path: string; headers: Record<string, string> }[];
}

interface Row {
  what: string;
  bff: Load;
  beside: Load;
}

interface Figures {
  perSecond: number;
  p99: number;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function load({ url, headers = {}, body, to }: Load): Promise<Figures> {
  const text = body && JSON.stringify(body);
  let turn = 0;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    ...(text && {
      requests: [
        {
          method: 'POST',
          body: text,
          setupRequest: (request) => {
            const target = to?.[(turn += 1) % to.length];
            const key = { 'content-type': 'application/json', [idempotencyHeader]: randomUUID() };
            return {
              ...request,
              ...(target && { path: target.path }),
              headers: { ...headers, ...target?.headers, ...key },
            };
          },
        },
      ],
    }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers without success, ${result.errors} errors`);
  return { perSecond: result.requests.average, p99: result.latency.p99 };
}

/** Seconds of processor time that the BFF has used. */
async function cpuSeconds(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)![1]);
}

async function startPlace() {
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const bff = await startBuiltBff(service.url, dir, {
    ...(profileFile && {
      PROFILE_FILE: profileFile,
      NODE_OPTIONS: '--import=tsx --import=./e2e/bench/profile.ts',
    }),
  });
  const besidePort = await freePort();
  const besideUrl = `http://127.0.0.1:${besidePort}`;
  const passthrough = startNode('e2e/bench/passthrough.ts', {
    NODE_OPTIONS: '--import=tsx',
    PORT: String(besidePort),
    SERVICE_URL: service.url,
    DATA_DIR: dir,
  });
  await untilUp(`${besideUrl}/plain/1`, passthrough);
  return {
    service,
    url: bff.url,
    adminUrl: bff.adminUrl,
    besideUrl,
    startProfile: () => profileFile && bff.child.kill('SIGUSR2'),
    async stop() {
      await Promise.all([bff.stop(), passthrough.stop()]);
      await service.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': '10.9.0.1', [gateHeader]: '1' };
const ticket = { subject: 'A question', description: 'What now?', customer_email: 'a@example.com' };

/** Opens tickets as one customer; answers the cookie and the last ticket's id. */
async function openTickets(url: string, count: number): Promise<{ cookie: string; id: string }> {
  let cookie = '';
  let id = '';
  for (let n = 0; n < count; n += 1) {
    const opened = await fetch(url + paths.tickets, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        [idempotencyHeader]: randomUUID(),
        ...(cookie && { Cookie: cookie }),
      },
      body: JSON.stringify(ticket),
    });
    cookie ||= opened.headers.get('set-cookie')!.split(';')[0]!;
    ({ id } = ((await opened.json()) as { data: { id: string } }).data);
  }
  return { cookie, id };
}

const sizeOf = async (url: string) => (await (await fetch(url)).arrayBuffer()).byteLength;

/** Prints figures; they judge nothing, since they depend on the machine and on what else it does. */
async function main(): Promise<void> {
  await buildIfNeeded();
  const { service, url, adminUrl, besideUrl, startProfile, stop } = await startPlace();
  try {
    const one = await openTickets(url, 1);
    const many = await openTickets(url, 20);
    const customers = [];
    for (let n = 0; n < senders; n += 1) customers.push(await openTickets(url, 1));
    service.addAnswer(one.id, 'We look into it.');
    const as = ({ cookie }: { cookie: string }) => ({ ...headers, Cookie: cookie });
    const read = (path: string): Load => ({ url: besideUrl + path });
    const serviceTicket = `/api/v1/tickets/${one.id}`;
    const plain = async (path: string) => read(`/plain/${await sizeOf(url + path)}`);
    const rows: Row[] = [
      {
        what: 'conversation',
        bff: { url: `${url}${paths.tickets}/${one.id}`, headers: as(one) },
        beside: read(serviceTicket),
      },
      { what: 'list of 1', bff: { url: url + paths.tickets, headers: as(one) }, beside: read(serviceTicket) },
      {
        what: 'list of 20',
        bff: { url: url + paths.tickets, headers: as(many) },
        beside: read(serviceTicket),
      },
      { what: 'session', bff: { url: url + paths.session, headers: as(one) }, beside: read(serviceTicket) },
      {
        what: 'reply',
        bff: {
          url,
          body: { body: 'And one more question.' },
          to: customers.map((each) => ({ path: `${paths.tickets}/${each.id}/messages`, headers: as(each) })),
        },
        beside: { url: `${besideUrl}/api/v1/tickets`, body: ticket },
      },
      {
        what: 'ticket',
        bff: { url, body: ticket, to: customers.map((each) => ({ path: paths.tickets, headers: as(each) })) },
        beside: { url: `${besideUrl}/api/v1/tickets`, body: ticket },
      },
      { what: 'document', bff: { url: `${url}/frame` }, beside: await plain('/frame') },
      { what: 'widget.js', bff: { url: `${url}/widget.js` }, beside: await plain('/widget.js') },
    ];
    startProfile();
    const only = process.argv[2];
    for (const row of rows.filter(({ what }) => !only || what.startsWith(only))) await measure(row, adminUrl);
  } finally {
    await stop();
  }
}

async function measure({ what, bff, beside }: Row, adminUrl: string): Promise<void> {
  const ours: Figures[] = [];
  const theirs: Figures[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(await load(beside));
    const before = await cpuSeconds(adminUrl);
    const figures = await load(bff);
    cpu.push(((await cpuSeconds(adminUrl)) - before) / (figures.perSecond * seconds));
    ours.push(figures);
  }
  const perSecond = median(ours.map((each) => each.perSecond));
  const besidePerSecond = median(theirs.map((each) => each.perSecond));
  const cells = [
    what.padEnd(14),
    `${Math.round(perSecond)}/s`.padStart(9),
    `beside ${Math.round(besidePerSecond)}/s`.padStart(16),
    `ratio ${(perSecond / besidePerSecond).toFixed(3)}`.padStart(14),
    `${Math.round(median(cpu) * 1e6)} µs CPU`.padStart(15),
    `p99 ${median(ours.map((each) => each.p99))} ms`.padStart(12),
  ];
  process.stdout.write(`  ${cells.join('')}\n`);
}

await main();

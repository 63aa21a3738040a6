import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStack } from '../support/stack.ts';
import { startCustomer } from './customer.ts';
import { type Attack, startAttack } from './sockets.ts';

/*
 * Holds 500 silent and 500 dripping connections to a built BFF for 30 seconds, with a new one for each that is cut,
 * while a customer continues to work. Prints the results. Fails when the customer noticed the attack, or memory is not
 * freed.
 *
 *     node --import tsx e2e/attack/slow-sockets.ts [connections of each kind] [seconds]
 */
const [connections = 500, seconds = 30] = process.argv.slice(2).map(Number);
const restMs = 30_000;
const maxGrowthMb = 50;
const maxSlowMs = 1_000;

const stack = await startStack({ LOG_LEVEL: 'warn', TRUST_PROXY: '1' });
const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stack.bff.child.pid}/status`, 'utf8'))?.[1]) / 1_024;
const openFiles = () => readdirSync(`/proc/${stack.bff.child.pid}/fd`).length;

/** What the customer and the process went through while `attack` ran; prints it. */
async function watch(name: string, attack: () => Attack[]) {
  const customer = await startCustomer(stack.bffUrl);
  const before = { memory: memoryMb(), files: openFiles() };
  const running = attack();
  const most = { ...before };
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000);
    most.memory = Math.max(most.memory, memoryMb());
    most.files = Math.max(most.files, openFiles());
  }
  const cut = running.map((each) => each.stop());
  const seen = await customer.stop();
  await sleep(restMs);
  const after = { memory: memoryMb(), files: openFiles() };

  console.log(`\n${name}, ${seconds} s; before → most → ${restMs / 1_000} s after`);
  for (const what of ['memory', 'files'] as const)
    console.log(
      `  ${what === 'memory' ? 'memory in MB' : 'open files'}: ${[before, most, after].map((at) => Math.round(at[what])).join(' → ')}`,
    );
  console.log(
    `  customer: ${seen.answers} answers, ${seen.sent} of them to replies, ${seen.failures.length} failures`,
  );
  console.log(`  an answer took ${seen.medianMs} ms, p99 ${seen.p99Ms} ms, at most ${seen.slowestMs} ms`);
  console.log(`  the customer's stream ${seen.isStreaming ? 'stayed open' : 'was lost'}`);
  if (cut.length > 0) console.log(`  connections cut by the BFF: ${cut.join(' + ')}`);
  return { most, after, seen };
}

const { port } = new URL(stack.bffUrl);
const start = 'POST /api/tickets HTTP/1.1\r\nHost: localhost\r\n';
/** As the frame sends them, from many addresses: the body is all that is missing. */
const headers = (n: number) =>
  [
    'Sec-Fetch-Site: same-origin',
    `X-Forwarded-For: 198.51.100.${n % 250}`,
    'X-Deskside: 1',
    `Idempotency-Key: ${randomUUID()}`,
    'Content-Type: application/json',
    'Content-Length: 100000',
    '',
    '{"subject":"',
  ].join('\r\n');

const faults: string[] = [];
try {
  const calm = await watch('nobody else', () => []);
  const attacked = await watch(`${connections} silent and ${connections} dripping`, () => [
    startAttack({ port, connections, opening: () => '', drip: '' }),
    startAttack({ port, connections: connections / 2, opening: () => start, drip: 'X-Drip: drip\r\n' }),
    startAttack({ port, connections: connections / 2, opening: (n) => start + headers(n), drip: 'x' }),
  ]);
  const errors = stack.lines.filter((text) => /"level":[56]0/.test(text));
  faults.push(
    ...attacked.seen.failures,
    ...(errors.length > 0 ? [`${errors.length} errors in the log, such as ${errors[0]?.slice(0, 300)}`] : []),
    ...(attacked.seen.isStreaming ? [] : ['the stream was lost']),
    ...(attacked.seen.slowestMs > maxSlowMs ? ['an answer took too long'] : []),
    ...(attacked.after.memory > calm.most.memory + maxGrowthMb ? ['memory stays taken'] : []),
    ...(attacked.after.files > calm.most.files ? ['connections stay open'] : []),
  );
} finally {
  await stack.stop();
}
for (const fault of faults.slice(0, 20)) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);

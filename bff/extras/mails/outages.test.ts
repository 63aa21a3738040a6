import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from '../../testing/identity.ts';
import { ada, type Notifying, startNotifying, mailsOf } from './testing/notices.ts';
import { valueOf } from '../../testing/metrics.ts';
import { isOnPostgres } from '../../testing/store/test-store.ts';
import type { TestBff } from '../../testing/bff.ts';

const minuteMs = 60_000;

let dataDir: string;
let on: Notifying;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'deskside-notices-'));
  on = await startNotifying({ dataDir });
});
afterEach(async () => {
  await on.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const repeats = async (bff: TestBff) =>
  valueOf(await bff.metrics.registry.metrics(), 'deskside_ticket_mail_repeats_total');
const due = async ({ metrics }: TestBff) =>
  valueOf(await metrics.registry.metrics(), 'deskside_ticket_mails_due');

/** Starts another process on the same store. */
async function beside(): Promise<TestBff> {
  const other = await on.start({ beside: on.bff });
  other.clock.offsetMs = on.bff.clock.offsetMs;
  return other;
}

/**
 * Freezes the process when the mail server has accepted the next mail and not answered yet. The process then records
 * nothing.
 */
function freezeAtNextMail(): Promise<void> {
  return new Promise((frozen) => {
    on.mail.answers.onTaken = () => {
      on.mail.answers.onTaken = async () => {};
      frozen();
      return new Promise<never>(() => {});
    };
  });
}

describe('a mail server that is away', () => {
  it('gets the mail once when it is back', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.mail.stop();
    for (let minute = 0; minute < 10; minute += 1) await on.wait(minuteMs);
    expect(await on.count('failed')).toBeGreaterThan(0);
    expect(await due(on.bff)).toBe(1);
    await on.mail.start();
    await on.wait(30 * minuteMs);
    expect(on.mail.mails).toHaveLength(1);
    expect(await due(on.bff)).toBe(0);
    await on.wait(60 * minuteMs);
    expect(on.mail.mails).toHaveLength(1);
  });

  it('gets later answers in the same mail', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser);
    await on.answer(id, 'One');
    await on.mail.stop();
    await on.wait();
    await on.answer(id, 'Two');
    await on.mail.start();
    await on.wait(30 * minuteMs);
    expect((await on.mails()).map(({ text }) => text.includes('One\n\n* * *\n\nTwo\n'))).toEqual([true]);
  });

  it('is called for only a few of many mails', async () => {
    for (let n = 0; n < 30; n += 1)
      await on.answer(await on.opened(undefined, { customer_email: `c${n}@example.com` }));
    await on.mail.stop();
    await on.wait();
    expect(await on.count('failed')).toBeLessThanOrEqual(8);
    await on.mail.start();
    for (let minute = 0; minute < 5; minute += 1) await on.wait(minuteMs);
    expect(new Set((await on.mails()).map(({ to }) => to[0])).size).toBe(30);
    expect(on.mail.mails).toHaveLength(30);
  });

  it('that defers a recipient is tried again', async () => {
    on.mail.answers.refuse = () => '451 Try later';
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    on.mail.answers.refuse = () => null;
    await on.wait();
    expect(on.mail.mails).toHaveLength(1);
  });
});

it('a mail that may have been accepted counts for the 15 minutes, though its repeat was refused', async () => {
  const id = await on.opened();
  await on.answer(id);
  on.mail.answers.onTaken = () => on.mail.stop();
  await on.wait();
  expect([on.mail.mails.length, await on.count('uncertain')]).toEqual([1, 1]);
  on.mail.answers.onTaken = async () => {};
  on.mail.answers.refuse = () => '554 5.7.1 Looks like spam';
  await on.mail.start();
  await on.wait(minuteMs);
  expect(await on.count('refused')).toBe(1);
  on.mail.answers.refuse = () => null;
  await on.answer(id, 'Later');
  await on.wait(10 * minuteMs);
  expect(on.mail.mails).toHaveLength(1);
  await on.wait(5 * minuteMs);
  expect(on.mail.mails).toHaveLength(2);
});

describe('a process that ends', () => {
  it('before the mail was accepted leaves it to the next process', async () => {
    const id = await on.opened();
    await on.answer(id);
    on.passes(5 * minuteMs);
    const next = await beside();
    await mailsOf(next).job!.pass();
    expect(on.mail.mails).toHaveLength(1);
    expect(await repeats(next)).toBe(0);
    await next.stop();
  });

  it('after the mail was accepted and before that was recorded has it repeated once, with the same Message-ID, and counted [mail-8]', async () => {
    const id = await on.opened();
    await on.answer(id);
    on.passes(5 * minuteMs);
    const frozen = freezeAtNextMail();
    const lost = on.pass();
    await frozen;
    const stopped = mailsOf(on.bff).job!.stop();
    await on.answer(id, 'Later');
    const next = await beside();
    await mailsOf(next).job!.pass();
    expect(on.mail.mails).toHaveLength(1);
    next.clock.offsetMs += 3 * minuteMs;
    await mailsOf(next).job!.pass();
    const [first, second] = (await on.mails()).map((mail) => mail.header('Message-ID'));
    expect(second).toBe(first);
    expect(await repeats(next)).toBe(1);
    next.clock.offsetMs += 15 * minuteMs;
    await mailsOf(next).job!.pass();
    expect(on.mail.mails).toHaveLength(3);
    expect((await on.mails())[2]!.header('Message-ID')).not.toBe(first);
    await next.stop();
    await on.mail.stop();
    await Promise.all([lost, stopped]);
    await on.mail.start();
  });
});

describe('a ticket service that is away', () => {
  it('delays a mail that quotes an answer until it is back', async () => {
    const id = await on.opened(await signedIn(on.bff, ada));
    await on.answer(id, 'Walrus');
    on.passes(5 * minuteMs);
    const next = await beside();
    on.bff.service.answer = () => new Error('away');
    await mailsOf(next).job!.pass();
    expect(on.mail.mails).toEqual([]);
    on.bff.service.answer = undefined;
    next.clock.offsetMs += minuteMs;
    await mailsOf(next).job!.pass();
    expect((await on.mails()).map(({ text }) => text.includes('Walrus'))).toEqual([true]);
    await next.stop();
  });

  it('that has removed the answer prevents the mail', async () => {
    const id = await on.opened(await signedIn(on.bff, ada));
    await on.answer(id);
    on.bff.service.tickets.get(id)!.messages = [];
    await on.bff.threads.refresh(id);
    await on.wait();
    expect(on.mail.mails).toEqual([]);
    expect(await on.count('expired')).toBe(1);
  });
});

// Two connections of one process to one SQLite file would block each other.
it.skipIf(!isOnPostgres)('only one of two processes mails each answer [mail-9]', async () => {
  for (let n = 0; n < 40; n += 1)
    await on.answer(await on.opened(undefined, { customer_email: `c${n}@example.com` }));
  on.passes(5 * minuteMs);
  const other = await beside();
  await Promise.all([on.pass(), mailsOf(other).job!.pass(), on.pass(), mailsOf(other).job!.pass()]);
  expect(new Set((await on.mails()).map(({ to }) => to[0])).size).toBe(40);
  expect(on.mail.mails).toHaveLength(40);
  await other.stop();
});

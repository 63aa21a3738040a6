import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unsubscribePath } from '../../../shared/contract/paths.ts';
import type { TestBff } from '../../testing/bff.ts';
import { signedIn } from '../../testing/identity.ts';
import { valueOf } from '../../testing/metrics.ts';
import { startNotifying, mailsOf } from './testing/notices.ts';

const minuteMs = 60_000;
const customers = 60;
const crashes = 5;

const leases = async ({ store }: TestBff) =>
  (await store.selectFrom('notices').select('ticket_id').where('lease_until', 'is not', null).execute())
    .length;

// Takes some seconds, or more when other programs use the processors.
it('of many answers, during crashes and outages of the mail server, each customer who has not read gets one mail [mail-10]', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-notices-'));
  const on = await startNotifying({ dataDir });
  const { mail, bff } = on;
  const emailOf = (n: number) => `c${n}@example.com`;
  const hasRead = (n: number) => n % 4 === 0;
  const isSilent = (n: number) => n % 20 === 3;
  const isProven = (n: number) => n % 5 === 1;
  const secret = (n: number) => `secret of ${n}.`;

  async function comeAndGo(n: number): Promise<void> {
    const browser = isProven(n) ? await signedIn(bff, emailOf(n)) : bff.browser();
    const id = await on.opened(browser, { customer_email: emailOf(n) });
    const messageId = await on.answer(id, secret(n));
    if (hasRead(n)) await on.markRead(browser, id, messageId);
    if (!isSilent(n)) return;
    const token = mailsOf(on.bff).suppressions.tokenOf(on.bff.subjects.mailboxHash(emailOf(n)));
    expect((await bff.app.request(`${unsubscribePath}/${token}`, { method: 'POST' })).status).toBe(200);
  }
  const all = Array.from({ length: customers }, (_, n) => n);
  // At the same time, so that their writes share commits.
  await Promise.all(all.map(comeAndGo));
  on.passes(5 * minuteMs);

  const processes: TestBff[] = [bff];
  const lost: Promise<void>[] = [];
  for (let crash = 0; crash < crashes; crash += 1) {
    const current = processes.at(-1)!;
    let left = 3 + crash;
    // The mail is accepted, but the process never gets the answer.
    const frozen = new Promise<void>((resolve) => {
      mail.answers.onTaken = async () => {
        if ((left -= 1) > 0) return;
        mail.answers.onTaken = async () => {};
        resolve();
        await new Promise<never>(() => {});
      };
    });
    lost.push(mailsOf(current).job!.pass());
    await frozen;
    lost.push(mailsOf(current).job!.stop());
    // The other mails that it was sending are still sent.
    await expect.poll(() => leases(current)).toBe(1);
    const next = await on.start({ beside: bff });
    next.clock.offsetMs = current.clock.offsetMs + 3 * minuteMs;
    processes.push(next);
    if (crash % 2 === 0) continue;
    await mail.stop();
    await mailsOf(next).job!.pass();
    await mail.start();
    next.clock.offsetMs += minuteMs;
  }
  const last = processes.at(-1)!;
  for (let round = 0; round < 4; round += 1) {
    last.clock.offsetMs += 10 * minuteMs;
    await mailsOf(last).job!.pass();
  }

  const idsTo = new Map<string, string[]>();
  for (const each of await on.mails())
    idsTo.set(each.to[0]!, [...(idsTo.get(each.to[0]!) ?? []), each.header('Message-ID')!]);
  const wanted = all.filter((n) => !hasRead(n) && !isSilent(n));
  expect([...idsTo.keys()].toSorted()).toEqual(wanted.map(emailOf).toSorted());
  const several = [...idsTo.values()].filter((ids) => ids.length > 1);
  for (const ids of several) expect(new Set(ids).size).toBe(1);
  const repeats = several.reduce((sum, ids) => sum + ids.length - 1, 0);
  expect(repeats).toBe(crashes);
  for (const { to, all: whole } of await on.mails()) {
    const n = wanted.find((each) => emailOf(each) === to[0])!;
    expect([...whole.matchAll(/secret of \d+\./g)].map(String)[0]).toBe(isProven(n) ? secret(n) : undefined);
  }
  await mail.stop();
  await Promise.all(lost);
  await mail.start();
  let counted = 0;
  for (const { metrics } of processes)
    counted += valueOf(await metrics.registry.metrics(), 'deskside_ticket_mail_repeats_total') ?? 0;
  expect(counted).toBe(crashes);

  for (const each of processes.slice(1)) await each.stop();
  await on.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 120_000);

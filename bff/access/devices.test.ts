import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../contract/paths.ts';
import { startBff, type TestBff } from '../testing/bff.ts';
import { startMailServer, type TestMailServer } from '../testing/mail-server.ts';

const minuteMs = 60_000;
const ada = 'ada@example.com';

let bff: TestBff;
let mail: TestMailServer;
beforeEach(async () => {
  mail = await startMailServer();
  bff = await startBff({ mail: { url: mail.url, from: 'support@shop.test' } });
});
afterEach(async () => {
  await bff.stop();
  await mail.stop();
});

type Browser = ReturnType<TestBff['browser']>;
const ask = (browser: Browser, email: string) => browser.request('POST', paths.code, { email });
const verify = (browser: Browser, code: string) => browser.request('POST', paths.codeVerify, { code });
const idsOf = async (browser: Browser) =>
  ((await browser.get(paths.tickets)).data as { id: string }[]).map(({ id }) => id);
/** A code that is certainly another one. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code by e-mail', () => {
  it('proves the address, and finds what was opened under it', async () => {
    const phone = bff.browser();
    const { data: ticket } = await phone.openTicket();
    const laptop = bff.browser();
    expect((await ask(laptop, ada)).data).toEqual({ sent: true });
    const { status, data } = await verify(laptop, mail.codeFor(ada));
    expect(status).toBe(200);
    expect(data).toMatchObject({ customer: { email: ada, verified: true }, claimable: 1 });
    await laptop.request('POST', paths.claim, {});
    expect(await idsOf(laptop)).toEqual([ticket.id]);
    const tablet = bff.browser();
    await ask(tablet, ada);
    await verify(tablet, mail.codeFor(ada));
    expect(await idsOf(tablet)).toEqual([ticket.id]);
  });

  it('keeps the tickets of the browser that asks, and shows them in full', async () => {
    const browser = bff.browser();
    const { data: ticket } = await browser.openTicket();
    bff.service.addMessage(ticket.id, 'customer', 'Sent by mail');
    await ask(browser, ada);
    const { data } = await verify(browser, mail.codeFor(ada));
    expect(data.claimable).toBe(0);
    expect((await browser.get(paths.ticket(ticket.id))).text).toContain('Sent by mail');
  });

  it('is good for the session that asked, and for no other', async () => {
    const asking = bff.browser();
    await ask(asking, ada);
    const thief = bff.browser();
    await ask(thief, 'thief@example.com');
    expect((await verify(thief, mail.codeFor(ada))).error.fields).toEqual({ code: 'invalid' });
    expect((await verify(bff.browser(), mail.codeFor(ada))).status).toBe(401);
    expect((await verify(asking, mail.codeFor(ada))).status).toBe(200);
  });

  it('is refused in the same words when wrong, used, too old, or tried five times', async () => {
    const refusals: string[] = [];
    const refused = async (browser: Browser, code: string) => {
      const answer = await verify(browser, code);
      refusals.push(`${answer.status} ${answer.text.replace(answer.error?.request_id, '')}`);
    };
    const wrong = bff.browser();
    await ask(wrong, 'one@example.com');
    const code = mail.codeFor('one@example.com');
    for (let tries = 0; tries < 5; tries += 1) await refused(wrong, otherThan(code));
    await refused(wrong, code);

    const late = bff.browser();
    await ask(late, 'two@example.com');
    bff.clock.offsetMs = 11 * minuteMs;
    await refused(late, mail.codeFor('two@example.com'));
    bff.clock.offsetMs = 0;

    const used = bff.browser();
    await ask(used, 'three@example.com');
    const usedCode = mail.codeFor('three@example.com');
    expect((await verify(used, usedCode)).status).toBe(200);
    await refused(used, usedCode);
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain('400 ');
  });

  it('is mailed three times an hour to one address, and for one session', async () => {
    for (let sends = 0; sends < 3; sends += 1) expect((await ask(bff.browser(), ada)).status).toBe(200);
    expect((await ask(bff.browser(), ada.toUpperCase())).status).toBe(429);
    expect(mail.mails).toHaveLength(3);
    const one = bff.browser();
    for (const n of [1, 2, 3]) expect((await ask(one, `to${n}@example.com`)).status).toBe(200);
    const { status, error, headers } = await ask(one, 'to4@example.com');
    expect([status, error.code]).toEqual([429, 'rate_limited']);
    expect(error.retry_after).toBeGreaterThan(3_000);
    expect(headers.get('retry-after')).toBe(String(error.retry_after));
  });

  it('is mailed ten times a day to one address', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const sent = [];
    for (let hours = 0; hours < 14; hours += 1) {
      vi.setSystemTime(Date.now() + 61 * minuteMs);
      sent.push((await ask(bff.browser(), ada)).status);
    }
    vi.useRealTimers();
    expect(sent).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429, 429, 429]);
  });

  it('is not offered without a mail server', async () => {
    const plain = await startBff();
    const browser = plain.browser();
    expect((await browser.get(paths.session)).data.email_code).toBe(false);
    expect((await ask(browser, ada)).status).toBe(404);
    expect((await verify(browser, '123456')).status).toBe(404);
    await plain.stop();
  });

  it('that cannot be mailed is said so', async () => {
    await mail.stop();
    const { status, error } = await ask(bff.browser(), ada);
    expect([status, error.code]).toEqual([503, 'upstream_unavailable']);
    mail = await startMailServer();
  });
});

describe('another device', () => {
  const offer = (browser: Browser) => browser.request('POST', paths.handoff, {});
  const secretOf = (url: string) => url.split('#handoff=')[1]!;
  const redeem = (browser: Browser, secret: string, device: string = randomUUID()) =>
    browser.request('POST', paths.handoffRedeem, { secret, device });

  async function offered() {
    const giver = bff.browser();
    const { data: ticket } = await giver.openTicket();
    const { data } = await offer(giver);
    return { giver, ticket, url: data.url as string, qr: data.qr as string[], secret: secretOf(data.url) };
  }

  it('opens the link, is confirmed, and has the tickets', async () => {
    const { giver, ticket, url, qr, secret } = await offered();
    expect(url).toMatch(/^https:\/\/support\.test\/#handoff=[\w-]{22}$/);
    expect(qr.every((row) => row.length === qr.length && /^[01]+$/.test(row))).toBe(true);
    const taker = bff.browser();
    const device = randomUUID();
    const waiting = await redeem(taker, secret, device);
    expect(waiting.data).toEqual({ state: 'asked', number: expect.stringMatching(/^\d\d$/) });
    expect((await giver.get(paths.handoff)).data).toMatchObject({
      state: 'asked',
      number: waiting.data.number,
    });
    expect((await taker.get(paths.tickets)).status).toBe(401);
    await giver.request('POST', paths.handoffConfirm, {});
    expect((await redeem(taker, secret, device)).data).toMatchObject({
      state: 'done',
      session: { unread: 0 },
    });
    expect(await idsOf(taker)).toEqual([ticket.id]);
    expect(await idsOf(giver)).toEqual([ticket.id]);
    expect((await giver.get(paths.handoff)).status).toBe(404);
  });

  it('once signed in can take the tickets from a stranger who had handed them over as a trap', async () => {
    const { giver, ticket, secret } = await offered();
    const victim = bff.browser();
    const device = randomUUID();
    await redeem(victim, secret, device);
    await giver.request('POST', paths.handoffConfirm, {});
    await redeem(victim, secret, device);
    await ask(victim, ada);
    const { data } = await verify(victim, mail.codeFor(ada));
    expect(data.claimable).toBe(1);
    expect((await giver.get(paths.ticket(ticket.id))).status).toBe(200);
    await victim.request('POST', paths.claim, {});
    expect((await giver.get(paths.ticket(ticket.id))).status).toBe(404);
    expect(await idsOf(victim)).toEqual([ticket.id]);
  });

  it('gets nothing before it is confirmed, nor as the second one, nor twice, nor too late', async () => {
    const { giver, secret } = await offered();
    const device = randomUUID();
    const first = bff.browser();
    await redeem(first, secret, device);
    const second = bff.browser();
    expect((await redeem(second, secret)).status).toBe(404);
    await giver.request('POST', paths.handoffConfirm, {});
    expect((await redeem(second, secret)).status).toBe(404);
    expect((await redeem(first, secret, device)).data.state).toBe('done');
    expect((await redeem(bff.browser(), secret, device)).status).toBe(404);

    const late = await offered();
    bff.clock.offsetMs = 11 * minuteMs;
    expect((await redeem(bff.browser(), late.secret)).status).toBe(404);
    expect((await late.giver.get(paths.handoff)).status).toBe(404);
  });

  it('cannot be confirmed before any has asked, and not by somebody else', async () => {
    const { giver, secret } = await offered();
    expect((await giver.request('POST', paths.handoffConfirm, {})).status).toBe(404);
    await redeem(bff.browser(), secret);
    const stranger = bff.browser();
    await stranger.openTicket({ customer_email: 'eve@example.com' });
    expect((await stranger.request('POST', paths.handoffConfirm, {})).status).toBe(404);
  });

  it('is refused while it has tickets of its own, which would be out of reach', async () => {
    const { secret } = await offered();
    const taker = bff.browser();
    const { data: own } = await taker.openTicket({ customer_email: 'bob@example.com' });
    const { status, error } = await redeem(taker, secret);
    expect([status, error.fields]).toEqual([400, { session: 'invalid' }]);
    expect(await idsOf(taker)).toEqual([own.id]);
  });

  it('gets nothing after the offer was withdrawn, or after the giver signed out', async () => {
    for (const end of [paths.handoff, paths.session]) {
      const { giver, secret } = await offered();
      const device = randomUUID();
      await redeem(bff.browser(), secret, device);
      await giver.request('POST', paths.handoffConfirm, {});
      await giver.request('DELETE', end);
      expect((await redeem(bff.browser(), secret, device)).status).toBe(404);
    }
  });

  it('cannot guess: unknown and malformed secrets are one and the same', async () => {
    const bodies = new Set<string>();
    for (const secret of ['', 'x', randomUUID(), 'A'.repeat(22), '__proto__']) {
      const { status, text, error } = await redeem(bff.browser(), secret);
      expect(status).toBe(404);
      bodies.add(text.replace(error.request_id, ''));
    }
    expect(bodies.size).toBe(1);
  });
});

it('codes, secrets and addresses are in no log line', async () => {
  const browser = bff.browser();
  await browser.openTicket();
  await ask(browser, ada);
  const code = mail.codeFor(ada);
  const { data } = await browser.request('POST', paths.handoff, {});
  await verify(browser, otherThan(code));
  await verify(browser, code);
  const logs = bff.logLines.join('\n');
  expect(logs).toContain('request');
  for (const text of [code, ada, data.url.split('#handoff=')[1]]) expect(logs).not.toContain(text);
});

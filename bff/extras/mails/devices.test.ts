import { randomUUID } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { addTickets, idsOf } from '../../testing/identity.ts';
import { startMailServer, type TestMailServer } from '../../../scripts/mail-server.ts';

const minuteMs = 60_000;
const ada = 'ada@example.com';

let bff: TestBff;
let mail: TestMailServer;
beforeEach(async () => {
  mail = await startMailServer();
  bff = await startBff({
    values: { SMTP_URL: mail.url, MAIL_FROM: { name: '', address: 'support@shop.test' } },
  });
});
afterEach(async () => {
  await bff.stop();
  await mail.stop();
});

const ask = (browser: TestBrowser, email: string) => browser.request('POST', accountPaths.code, { email });
const verify = (browser: TestBrowser, code: string) =>
  browser.request('POST', accountPaths.codeVerify, { code });
/** A code that differs from this one. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a code by e-mail', () => {
  it.each([
    ['Ada.B+c@EXAMPLE.com', 'ada.b+c@example.com'],
    ["o'neil/x=y@Example.com", "o'neil/x=y@example.com"],
    ['jo\u0308rg@example.com', 'j\u00f6rg@example.com'],
    ['joerg@B\u00dcCHER.example', 'joerg@xn--bcher-kva.example'],
    ['ada@\uff45xample.com', 'ada@example.com'],
    ['\u200bAda <ada\uff20example.com>', 'ada@example.com'],
  ])(
    'for %s is mailed to the address that is proven, kept and compared: %s [identity-50]',
    async (typed, address) => {
      const owner = bff.browser();
      await bff.browser().openTicket({ customer_email: typed });
      await ask(owner, typed);
      // The mail server of this test shows domains in Unicode.
      const [local, domain] = address.split('@');
      const told = `${local}@${domainToUnicode(domain!)}`;
      expect(mail.mails.map(({ to }) => to)).toEqual([[told]]);
      expect(mail.mails[0]!.text).toMatch(local === 'j\u00f6rg' ? /^To: /m : `\r\nTo: ${address}\r\n`);
      const { data } = await verify(owner, mail.codeFor(told).replace(/^.../, '$& - '));
      expect(data).toMatchObject({ customer: { email: address, verified: true }, claimable: 1 });
      await owner.openTicket({ customer_email: 'other@example.com' });
      expect(bff.service.writes().map(({ body }) => body['customer_email'])).toEqual([address, address]);
    },
  );

  it.each(['/', '?', '#', '%00', '\\', ':', '\u2100', '\uff0f'])(
    'is not mailed to an address whose domain continues after %j [identity-51]',
    async (cut) => {
      const { status, error } = await ask(bff.browser(), `ada@example.com${cut}x.attacker.example`);
      expect([status, error?.fields]).toEqual([400, { email: 'invalid' }]);
      expect(mail.mails).toEqual([]);
    },
  );

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

  it.each([
    ['nl', 'is uw code voor'],
    ['xx', 'is your code for'],
    [7, 'is your code for'],
    [undefined, 'is your code for'],
  ])('is mailed in the language of the widget: %s', async (language, words) => {
    await bff.browser().request('POST', accountPaths.code, { email: ada, language });
    expect(mail.mails[0]?.text).toMatch(new RegExp(`^Subject: \\d{6} ${words}`, 'm'));
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

  it('adds tickets under another address only after a press, also in a later session', async () => {
    const browser = bff.browser();
    const { data: ticket } = await browser.openTicket();
    const signIn = async () => {
      await ask(browser, 'other@example.com');
      return (await verify(browser, mail.codeFor('other@example.com'))).data;
    };
    expect([(await signIn()).transferable, await idsOf(browser)]).toEqual([1, []]);
    bff.clock.offsetMs = 120 * minuteMs;
    expect((await browser.get(paths.tickets)).status).toBe(401);
    expect([(await signIn()).transferable, await idsOf(browser)]).toEqual([1, []]);
    await addTickets(browser);
    expect(await idsOf(browser)).toEqual([ticket.id]);
  });

  it('is valid for the session that asked, and for no other [identity-43]', async () => {
    const asking = bff.browser();
    await ask(asking, ada);
    const thief = bff.browser();
    await ask(thief, 'thief@example.com');
    expect((await verify(thief, mail.codeFor(ada))).error.fields).toEqual({ code: 'invalid' });
    expect((await verify(bff.browser(), mail.codeFor(ada))).status).toBe(401);
    expect((await verify(asking, mail.codeFor(ada))).status).toBe(200);
  });

  it('is refused in the same words when wrong, used, too old, or tried five times [identity-44]', async () => {
    const refusals: string[] = [];
    const refused = async (browser: TestBrowser, code: string) => {
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

    const used = bff.browser();
    await ask(used, 'three@example.com');
    const usedCode = mail.codeFor('three@example.com');
    expect((await verify(used, usedCode)).status).toBe(200);
    await refused(used, usedCode);
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain('400 ');
  });

  it('is mailed three times an hour to one address, and for one session [identity-47]', async () => {
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

  it('that cannot be mailed is answered with an error, and does not count', async () => {
    await mail.stop();
    for (let n = 0; n < 5; n += 1) {
      const { status, error } = await ask(bff.browser(), ada);
      expect([status, error.code]).toEqual([503, 'upstream_unavailable']);
    }
    mail = await startMailServer();
  });

  it('can be guessed at thirty times an hour from one place [identity-45]', async () => {
    const address = '203.0.113.9';
    const statuses = [];
    for (let n = 0; n < 31; n += 1) {
      const browser = bff.browser({ address });
      if (n % 5 === 0) await ask(bff.browser(), `to${n}@example.com`);
      await browser.openTicket({ customer_email: `from${n}@example.com` });
      statuses.push((await verify(browser, '000000')).status);
    }
    expect(statuses.slice(0, 30).every((status) => status === 400)).toBe(true);
    expect(statuses[30]).toBe(429);
  });
});

describe('another device', () => {
  const offer = (browser: TestBrowser) => browser.request('POST', accountPaths.handoff, {});
  const secretOf = (url: string) => url.split('#handoff=')[1]!;
  const redeem = (browser: TestBrowser, secret: string, device: string = randomUUID()) =>
    browser.request('POST', accountPaths.handoffRedeem, { secret, device });

  const confirm = async (browser: TestBrowser, number?: string) =>
    browser.request('POST', accountPaths.handoffConfirm, {
      number: number ?? (await browser.get(accountPaths.handoff)).data.number,
    });

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
    expect((await giver.get(accountPaths.handoff)).data).toMatchObject({
      state: 'asked',
      number: waiting.data.number,
    });
    expect((await taker.get(paths.tickets)).status).toBe(401);
    await confirm(giver);
    expect((await redeem(taker, secret, device)).data).toMatchObject({
      state: 'done',
      session: { unread: 0 },
    });
    expect(await idsOf(taker)).toEqual([ticket.id]);
    expect(await idsOf(giver)).toEqual([ticket.id]);
    expect((await giver.get(accountPaths.handoff)).status).toBe(404);
  });

  it('once signed in can take the tickets from a stranger who had handed them over as a trap [identity-57]', async () => {
    const { giver, ticket, secret } = await offered();
    const victim = bff.browser();
    const device = randomUUID();
    await redeem(victim, secret, device);
    await confirm(giver);
    await redeem(victim, secret, device);
    await ask(victim, ada);
    const { data } = await verify(victim, mail.codeFor(ada));
    expect(data.claimable).toBe(1);
    expect((await giver.get(paths.ticket(ticket.id))).status).toBe(200);
    await victim.request('POST', paths.claim, {});
    expect((await giver.get(paths.ticket(ticket.id))).status).toBe(404);
    expect(await idsOf(victim)).toEqual([ticket.id]);
  });

  it('gets nothing before it is confirmed, nor as the second one, nor twice, nor too late [identity-52]', async () => {
    const { giver, secret } = await offered();
    const device = randomUUID();
    const first = bff.browser();
    await redeem(first, secret, device);
    const second = bff.browser();
    expect((await redeem(second, secret)).status).toBe(404);
    await confirm(giver);
    expect((await redeem(second, secret)).status).toBe(404);
    expect((await redeem(first, secret, device)).data.state).toBe('done');
    expect((await redeem(bff.browser(), secret, device)).status).toBe(404);

    const late = await offered();
    bff.clock.offsetMs = 11 * minuteMs;
    expect((await redeem(bff.browser(), late.secret)).status).toBe(404);
    expect((await late.giver.get(accountPaths.handoff)).status).toBe(404);
  });

  it('is confirmed by the number that it shows, and by no other [identity-58]', async () => {
    const { giver, secret } = await offered();
    const taker = bff.browser();
    const device = randomUUID();
    const { data } = await redeem(taker, secret, device);
    const other = String((Number(data.number) + 1) % 100).padStart(2, '0');
    expect((await confirm(giver, other)).status).toBe(404);
    expect((await redeem(taker, secret, device)).data.state).toBe('asked');
    expect((await confirm(giver, data.number)).status).toBe(200);
  });

  it('cannot be confirmed before any has asked, and not by somebody else', async () => {
    const { giver, secret } = await offered();
    expect((await confirm(giver, '00')).status).toBe(404);
    await redeem(bff.browser(), secret);
    const stranger = bff.browser();
    await stranger.openTicket({ customer_email: 'eve@example.com' });
    for (let number = 0; number < 100; number += 1)
      expect((await confirm(stranger, String(number).padStart(2, '0'))).status).toBe(404);
  });

  it('receives only what it may: nothing that the other device writes after signing in [isolation-17]', async () => {
    const { giver, ticket, secret } = await offered();
    const taker = bff.browser();
    const device = randomUUID();
    await redeem(taker, secret, device);
    await confirm(giver);
    await redeem(taker, secret, device);
    await ask(taker, ada);
    await verify(taker, mail.codeFor(ada));
    await taker.post(paths.messages(ticket.id), { body: 'My secret reply' });
    const seen = [await giver.get(paths.ticket(ticket.id)), await giver.get(paths.tickets)];
    expect(seen[0]!.text).toContain('"hidden":true');
    for (const { text } of seen) expect(text).not.toContain('secret reply');
  });

  it('has a session that lasts no longer than the one that let it in', async () => {
    const { giver, secret } = await offered();
    bff.clock.offsetMs = 29 * 24 * 60 * minuteMs;
    await giver.get(paths.tickets);
    const { data } = await offer(giver);
    const taker = bff.browser();
    const device = randomUUID();
    await redeem(taker, secretOf(data.url), device);
    await confirm(giver);
    const { headers } = await redeem(taker, secretOf(data.url), device);
    expect(secret).not.toBe(secretOf(data.url));
    const maxAge = Number(/Max-Age=(\d+)/.exec(headers.get('set-cookie')!)![1]);
    expect(maxAge / 86_400).toBeCloseTo(61, 0);
  });

  it("is refused while it is signed in, so that a stranger's link cannot swap the customer [identity-56]", async () => {
    const { giver, secret } = await offered();
    const victim = bff.browser();
    await ask(victim, 'victim@example.com');
    await verify(victim, mail.codeFor('victim@example.com'));
    expect((await redeem(victim, secret)).error.fields).toEqual({ session: 'invalid' });
    expect((await giver.get(accountPaths.handoff)).data.state).toBe('offered');
  });

  it('is refused while it has tickets of its own, which would be out of reach', async () => {
    const { secret } = await offered();
    const taker = bff.browser();
    const { data: own } = await taker.openTicket({ customer_email: 'bob@example.com' });
    const { status, error } = await redeem(taker, secret);
    expect([status, error.fields]).toEqual([400, { session: 'invalid' }]);
    expect(await idsOf(taker)).toEqual([own.id]);
  });

  it('gets nothing after the offer was withdrawn, or after the offering device signed out', async () => {
    for (const end of [accountPaths.handoff, paths.session]) {
      const { giver, secret } = await offered();
      const device = randomUUID();
      await redeem(bff.browser(), secret, device);
      await confirm(giver);
      await giver.request('DELETE', end);
      expect((await redeem(bff.browser(), secret, device)).status).toBe(404);
    }
  });

  it('has a limit on its requests', async () => {
    const address = '203.0.113.10';
    const statuses = [];
    for (let n = 0; n < 401; n += 1)
      statuses.push((await redeem(bff.browser({ address }), 'A'.repeat(22))).status);
    expect([statuses[399], statuses[400]]).toEqual([404, 429]);
  });

  it('cannot guess: unknown and malformed secrets get the same answer [identity-53]', async () => {
    const bodies = new Set<string>();
    for (const secret of ['', 'x', randomUUID(), 'A'.repeat(22), '__proto__']) {
      const { status, text, error } = await redeem(bff.browser(), secret);
      expect(status).toBe(404);
      bodies.add(text.replace(error.request_id, ''));
    }
    expect(bodies.size).toBe(1);
  });
});

it('codes, secrets and addresses are in no log line [storage-9]', async () => {
  const browser = bff.browser();
  await browser.openTicket();
  await ask(browser, ada);
  const code = mail.codeFor(ada);
  const { data } = await browser.request('POST', accountPaths.handoff, {});
  await verify(browser, otherThan(code));
  await verify(browser, code);
  const logs = bff.logLines.join('\n');
  expect(logs).toContain('request');
  for (const text of [code, ada, data.url.split('#handoff=')[1]]) expect(logs).not.toContain(text);
});

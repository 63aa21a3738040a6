import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signedIn } from '../../testing/identity.ts';
import { ada, type Notifying, startNotifying, mailsOf } from './testing/notices.ts';

let on: Notifying;
beforeEach(async () => {
  on = await startNotifying({ values: { NOTIFY_EMAIL: 'off', CONFIRM_EMAIL: 'on' } });
});
afterEach(() => on.stop());

const dayMs = 86_400_000;

describe('a ticket that was delivered', () => {
  it('is confirmed once, with number, link and, to a proven address, its text', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser, { description: 'It came like this.\nWhat now?' });
    await on.pass();
    await on.wait(dayMs);
    const [first, ...others] = await on.mails();
    expect(others).toEqual([]);
    expect(first!.to).toEqual([ada]);
    expect(first!.header('Subject')).toBe('Your message to Acme (no. 1000)');
    expect(first!.text).toContain('> It came like this.\n> What now?\n');
    expect(first!.text).toContain(`https://support.test/?ticket=${id}`);
    expect(first!.text).toContain('\nUsually replies in 2 hours\n');
    expect(first!.header('References')).toBeUndefined();
    expect(await on.bff.store.selectFrom('notices').selectAll().execute()).toEqual([]);
  });

  it('is confirmed to an address that was only typed without any text of its sender [mail-7]', async () => {
    await on.opened(undefined, { subject: 'Zebra', description: 'Yellow', customer_name: 'Xenia' });
    await on.pass();
    expect(on.mail.mails).toHaveLength(1);
    expect((await on.mails())[0]!.all).not.toMatch(/zebra|yellow|xenia/i);
  });

  it('is confirmed once when the browser repeats its request', async () => {
    const browser = on.bff.browser();
    const key = crypto.randomUUID();
    await browser.openTicket({ language: 'de' }, key);
    await browser.openTicket({ language: 'fr' }, key);
    await on.pass();
    expect((await on.mails()).map((mail) => mail.header('Subject'))).toEqual([
      'Ihre Nachricht an Acme (Nr. 1000)',
    ]);
  });

  it('is not confirmed when the service has refused it', async () => {
    on.bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 422, data: '{}' } : undefined);
    await on.bff.browser().openTicket();
    await on.pass();
    expect(on.mail.mails).toEqual([]);
  });

  it('is confirmed when the mail server is back within a day, and not later', async () => {
    await on.mail.stop();
    await on.opened();
    await on.pass();
    await on.wait(dayMs / 2);
    await on.opened(undefined, { customer_email: 'bob@example.com' });
    await on.wait(dayMs / 2 + 60_000);
    await on.mail.start();
    await on.wait(3_600_000);
    expect((await on.mails()).map(({ to }) => to)).toEqual([['bob@example.com']]);
    expect(await on.count('expired', 'confirmation')).toBe(1);
  });

  it('is not read for mails when it is not on screen', async () => {
    await on.opened();
    const before = on.bff.service.calls.length;
    for (let hour = 0; hour < 3; hour += 1) await on.wait(3_600_000);
    await mailsOf(on.bff).settled!();
    expect(on.bff.service.calls).toHaveLength(before);
  });
});

it('a confirmation and the answers to its ticket are in one mail thread', async () => {
  const both = await startNotifying({ values: { CONFIRM_EMAIL: 'on' } });
  const id = await both.opened();
  await both.pass();
  await both.answer(id);
  await both.wait();
  const [first, second, ...others] = await both.mails();
  expect(others).toEqual([]);
  expect(second!.header('References')).toBe(first!.header('Message-ID'));
  expect(second!.header('In-Reply-To')).toBe(first!.header('Message-ID'));
  await both.stop();
});

it('mails that are off cost nothing: no row, no read, and no stored consent to mails', async () => {
  const off = await on.start({ values: { NOTIFY_EMAIL: 'off', CONFIRM_EMAIL: 'off' } });
  const { data } = await off.browser().openTicket({ notify: true, language: 'de' });
  expect(mailsOf(off).job).toBeNull();
  expect(await off.store.selectFrom('notices').selectAll().execute()).toEqual([]);
  const sent = await off.operations.byId(
    (await off.store.selectFrom('operations').select('id').executeTakeFirstOrThrow()).id,
  );
  expect(Object.keys(off.seal.open('operations.payload', sent!.payload_sealed!)!)).not.toContain('notify');
  expect(off.service.calls.filter(({ path }) => path.includes(data.id))).toEqual([]);
  await off.stop();
});

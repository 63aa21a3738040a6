import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unsubscribePath } from '../../../shared/contract/paths.ts';
import { ada, type Notifying, startNotifying, mailsOf } from './testing/notices.ts';

let on: Notifying;
beforeEach(async () => {
  on = await startNotifying();
});
afterEach(() => on.stop());

const minuteMs = 60_000;

describe('an address', () => {
  const tokenOf = async (index = 0) =>
    /unsubscribe\/([\w.-]+)/.exec((await on.mails())[index]!.header('List-Unsubscribe')!)![1]!;
  const press = (method: string, token: string, headers: Record<string, string> = {}) =>
    on.bff.app.request(`${unsubscribePath}/${token}`, { method, headers });

  it('that unsubscribes gets no more mails, even about tickets that others open under it [mail-3]', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    expect((await press('POST', await tokenOf())).status).toBe(200);
    await on.answer(id);
    for (const email of [ada, 'ada+again@example.com', ' ADA@Example.com '])
      await on.answer(await on.opened(undefined, { customer_email: email }));
    await on.wait(60 * minuteMs);
    expect(on.mail.mails).toHaveLength(1);
    const other = await on.opened(undefined, { customer_email: 'bob@example.com' });
    await on.answer(other);
    await on.wait();
    expect(on.mail.mails).toHaveLength(2);
  });

  it('that has unsubscribed has nothing stored or read for it', async () => {
    const { mailboxHash } = on.bff.subjects;
    await mailsOf(on.bff).suppressions.add(mailboxHash(ada), 'unsubscribed');
    await on.opened();
    expect(await on.bff.store.selectFrom('notices').selectAll().execute()).toEqual([]);
  });

  it('that unsubscribes while a mail is about to leave does not get it', async () => {
    await on.answer(await on.opened());
    await mailsOf(on.bff).suppressions.add(on.bff.subjects.addressHash(ada), 'unsubscribed');
    await on.wait();
    expect(on.mail.mails).toEqual([]);
    expect(await on.count('silent')).toBe(1);
    expect(await on.bff.store.selectFrom('notices').selectAll().execute()).toEqual([]);
  });

  it('stays unsubscribed when its owner was forgotten', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    await press('POST', await tokenOf());
    await on.bff.operatorData.forget(ada, 'drop');
    await on.answer(await on.opened());
    await on.wait();
    expect(on.mail.mails).toHaveLength(1);
  });

  it('is not unsubscribed by opening the link, which mail servers do, too [mail-4]', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    const page = await press('GET', await tokenOf(), { 'Accept-Language': 'de' });
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('<html lang="de"');
    expect(html).toContain('<form method="post">');
    const style = /<style>(.*?)<\/style>/s.exec(html)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('Content-Security-Policy')).toContain(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'`,
    );
    await press('HEAD', await tokenOf());
    await on.answer(id);
    await on.wait(15 * minuteMs);
    expect(on.mail.mails).toHaveLength(2);
    expect(await (await press('POST', await tokenOf(), { 'Accept-Language': 'de' })).text()).not.toContain(
      '<form',
    );
  });

  it('is unsubscribed by its own token only, and the link reveals nothing of it [mail-5]', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    const token = await tokenOf();
    const [hash, proof] = token.split('.');
    expect(token).not.toMatch(/ada@|example/i);
    for (const forged of [
      'x',
      `${hash}.`,
      `${hash}.${hash}`,
      `${proof}.${hash}`,
      `${hash}.${proof}x`,
      `.${proof}`,
    ])
      for (const method of ['GET', 'POST']) expect((await press(method, forged)).status).toBe(404);
    expect(await on.bff.store.selectFrom('silent_addresses').selectAll().execute()).toEqual([]);
  });

  it.each([
    '550 No such user',
    '553 <ada@example.com>: Unknown user',
    '550 Unrouteable address',
    '550 5.1.1 Unknown',
    '550 5.2.1 Disabled',
  ])('that bounced is never mailed again: %s', async (line) => {
    on.mail.answers.refuse = () => line;
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    on.mail.answers.refuse = () => null;
    await on.answer(id);
    await on.answer(await on.opened());
    await on.wait(60 * minuteMs);
    expect(on.mail.mails).toEqual([]);
    expect(await on.count('bounced')).toBe(1);
  });

  it.each([
    '550 5.7.1 Sender not allowed',
    '550 Administrative prohibition',
    '550 relay not permitted, authentication required',
    '550 Mailbox quota exceeded',
  ])('is mailed later, when the mail server had refused us and not the address: %s', async (line) => {
    on.mail.answers.refuse = () => line;
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    on.mail.answers.refuse = () => null;
    await on.answer(id);
    await on.wait();
    expect(on.mail.mails).toHaveLength(1);
  });

  it('is sealed in the store [mail-6]', async () => {
    await on.opened();
    const rows = await on.bff.store.selectFrom('notices').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/ada@|example\.com/);
  });
});

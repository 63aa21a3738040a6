import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { addTickets, claim, identify, signedIn } from '../../testing/identity.ts';
import { ada, afterMs, type Notifying, startNotifying } from './testing/notices.ts';

let on: Notifying;
beforeEach(async () => {
  on = await startNotifying();
});
afterEach(() => on.stop());

const minuteMs = 60_000;

describe('an answer that nobody has read', () => {
  it('is mailed once after NOTIFY_AFTER_MS, with number and link', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.wait(afterMs - minuteMs);
    expect(on.mail.mails).toEqual([]);
    await on.wait(minuteMs);
    const [first, ...others] = await on.mails();
    expect(others).toEqual([]);
    expect(first!.to).toEqual([ada]);
    expect(first!.header('From')).toBe('Acme <support@shop.test>');
    expect(first!.header('Subject')).toBe('Your message to Acme (no. 1000)');
    expect(first!.text).toContain(`https://support.test/?ticket=${id}`);
    await on.wait(30 * minuteMs);
    expect(on.mail.mails).toHaveLength(1);
    expect(await on.count('sent')).toBe(1);
  });

  it('is mailed to an address that was only typed without any text of the conversation [mail-1]', async () => {
    const words = { subject: 'Zebra', description: 'Yellow', customer_name: 'Xenia' };
    const id = await on.opened(undefined, words);
    await on.answer(id, 'Walrus');
    await on.wait();
    expect((await on.mails())[0]!.all).not.toMatch(/zebra|yellow|xenia|walrus/i);
    expect((await on.mails())[0]!.text).toContain('On a new device, you’ll need to enter your email address');
  });

  it('is quoted to an address that its customer has proven', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser);
    await on.answer(id, 'Send us <b>a picture</b>.\nThanks!');
    await on.wait();
    expect((await on.mails())[0]!.text).toContain('Send us <b>a picture</b>.\nThanks!');
    expect((await on.mails())[0]!.all).toContain('Send us &lt;b&gt;a picture&lt;/b&gt;.');
  });

  it('is not quoted where the customer has proven another address [mail-2]', async () => {
    const browser = on.bff.browser();
    const id = await on.opened(browser, { customer_email: 'bob@example.com' });
    await identify(browser, ada);
    await addTickets(browser);
    await on.answer(id, 'Walrus');
    await on.wait();
    expect((await on.mails()).map(({ to }) => to)).toEqual([['bob@example.com']]);
    expect((await on.mails())[0]!.all).not.toContain('Walrus');
  });

  it('is quoted to the owner of the address who has claimed the ticket', async () => {
    const id = await on.opened();
    const owner = await signedIn(on.bff, ada);
    await claim(owner);
    await on.answer(id, 'Walrus');
    await on.wait();
    expect((await on.mails())[0]!.text).toContain('Walrus');
  });

  it('is mailed in the language that the customer wrote in', async () => {
    const id = await on.opened(undefined, { language: 'de' });
    const other = on.bff.browser();
    const { data } = await other.request(
      'POST',
      paths.tickets,
      { subject: 'A', description: 'B', customer_email: 'b@example.com', notify: true },
      { 'Idempotency-Key': randomUUID(), 'Accept-Language': 'de-AT, en;q=0.5' },
    );
    await on.answer(id);
    await on.answer(data.id);
    await on.wait();
    for (const each of await on.mails()) expect(each.header('Subject')).toMatch(/^Ihre Nachricht an Acme/);
    expect(await on.mails()).toHaveLength(2);
  });

  it('is marked as sent by a machine, threaded, and has one-click unsubscribe', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    await on.answer(id);
    await on.wait(15 * minuteMs);
    const [first, second] = await on.mails();
    expect(first!.header('Auto-Submitted')).toBe('auto-generated');
    expect(first!.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(first!.header('List-Unsubscribe')).toMatch(/^<https:\/\/support\.test\/unsubscribe\/[\w.-]{87}>$/);
    expect(first!.header('References')).toMatch(/^<[\w-]{43}@shop\.test>$/);
    expect(second!.header('References')).toBe(first!.header('References'));
    expect(second!.header('Subject')).toBe(first!.header('Subject'));
    expect(second!.header('Message-ID')).not.toBe(first!.header('Message-ID'));
  });

  it('waits for 15 minutes after the previous mail, and is then mailed with later answers', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser);
    await on.answer(id, 'One');
    await on.wait();
    await on.answer(id, 'Two');
    await on.answer(id, 'Three');
    await on.wait(14 * minuteMs);
    expect(on.mail.mails).toHaveLength(1);
    await on.wait(minuteMs);
    expect((await on.mails())[1]!.text).toContain('Two\n\n* * *\n\nThree\n');
    expect((await on.mails())[1]!.text).not.toContain('One');
    expect(on.mail.mails).toHaveLength(2);
  });

  it('is mailed though the customer writes again without having read it', async () => {
    const browser = on.bff.browser();
    const id = await on.opened(browser);
    await on.answer(id);
    await browser.post(paths.messages(id), { body: 'Hello?' });
    await on.wait();
    expect(on.mail.mails).toHaveLength(1);
  });
});

describe('no mail is sent', () => {
  it('when the answer was read in time', async () => {
    const browser = on.bff.browser();
    const id = await on.opened(browser);
    const messageId = await on.answer(id);
    await on.markRead(browser, id, messageId);
    await on.wait();
    expect(on.mail.mails).toEqual([]);
    expect(await on.count('read')).toBe(1);
  });

  it('about read answers, when a later answer is mailed', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser);
    const messageId = await on.answer(id, 'One');
    await on.answer(id, 'Two');
    await on.markRead(browser, id, messageId);
    await on.wait();
    expect((await on.mails())[0]!.text).toContain('Two');
    expect((await on.mails())[0]!.text).not.toContain('One');
  });

  it.each([{ notify: false }, { notify: undefined }, { notify: 'yes' }])(
    'to a customer who has not agreed: %j',
    async (wish) => {
      const id = await on.opened(undefined, wish);
      await on.answer(id);
      await on.wait();
      expect(on.mail.mails).toEqual([]);
      expect(await on.bff.store.selectFrom('notices').selectAll().execute()).toEqual([]);
    },
  );

  it('when the customer was forgotten meanwhile', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.bff.operatorData.forget(ada, 'drop');
    await on.wait();
    expect(on.mail.mails).toEqual([]);
    expect(await on.bff.store.selectFrom('notices').selectAll().execute()).toEqual([]);
  });

  it('when the customer has deleted their data, which said that answers are mailed', async () => {
    const browser = on.bff.browser();
    const id = await on.opened(browser);
    await on.answer(id);
    const { data } = await browser.get(accountPaths.data);
    expect(data.tickets).toMatchObject([{ id, answers_by_mail: true }]);
    await browser.request('DELETE', accountPaths.data);
    await on.wait();
    expect(on.mail.mails).toEqual([]);
    expect(await on.bff.store.selectFrom('notices').selectAll().execute()).toEqual([]);
  });

  it('three days later, when the mail could not be sent before', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.mail.stop();
    await on.wait(4 * 1_440 * minuteMs);
    expect(await on.count('expired')).toBe(1);
    await on.mail.start();
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { readMailbox } from '../sender-address.ts';
import { paths } from '../../../../shared/contract/paths.ts';
import { claim, signedIn } from '../../../testing/identity.ts';
import { until } from '../../../testing/streams.ts';
import { ada } from '../testing/notices.ts';
import { mailOf, mailWithFile, startIncoming, type TestIncoming } from './testing/incoming.ts';

let on: TestIncoming;
afterEach(() => on.stop());
const start = async (values: Record<string, unknown>) => {
  on = await startIncoming({ values });
};
const delivered = (ticketId: string, count: number) =>
  until(() => expect(on.replies(ticketId)).toHaveLength(count));
const tickets = () => [...on.bff.service.tickets.values()];

describe('with MAIL_IN_NEW=on', () => {
  it('a mail opens a ticket under the address of its sender, who has proven nothing', async () => {
    await start({ MAIL_IN_NEW: 'on' });
    await on.comes(mailOf({ from: 'Ada L. <Ada@example.com>', words: 'My lamp is broken.' }));
    await until(() => expect(tickets()).toHaveLength(1));
    const [ticket] = tickets();
    expect(ticket).toMatchObject({ subject: 'Re: Your message' });
    expect(ticket!.description).toMatch(
      /^My lamp is broken\.\n\nBy mail from ada@example\.com, not verified\n\nDeskside: e-mail not verified · details 1 · ref DS-/,
    );
    expect(on.mail.mails).toEqual([]);
    // Its sender gets mails about it, and finds it with a code.
    await until(async () =>
      expect(await on.bff.store.selectFrom('notices').selectAll().execute()).toHaveLength(1),
    );
    const owner = await signedIn(on.bff, ada);
    await claim(owner);
    expect((await owner.get(paths.tickets)).data).toMatchObject([{ subject: 'Re: Your message' }]);
  });

  it('a mail that comes again after a kill opens no other one', async () => {
    await start({ MAIL_IN_NEW: 'on' });
    await on.comes(mailOf());
    await until(() => expect(tickets()).toHaveLength(1));
    await on.bff.store.updateTable('mails_in').set({ state: 'waiting', operation_id: null }).execute();
    await on.incoming.job.pass();
    expect(await on.bff.store.selectFrom('operations').select('id').execute()).toHaveLength(1);
  });
});

describe('with MAIL_IN_SERVER', () => {
  const said = (result: string) => [
    `Authentication-Results: mx.shop.test; dmarc=${result} header.from=example.com`,
  ];

  it('a sender whom that server has not confirmed is told nothing', async () => {
    await start({ MAIL_IN_SERVER: 'mx.shop.test' });
    await on.comes(mailOf({ header: said('none') }));
    expect(on.mail.mails).toEqual([]);
    await on.comes(mailOf({ words: 'Again', header: said('pass') }));
    expect(on.mail.mails).toHaveLength(1);
  });

  it('agents read what that server says of the sender', async () => {
    await start({ MAIL_IN_SERVER: 'mx.shop.test' });
    const id = await on.opened();
    const to = await on.replyTo(id);
    await on.comes(mailOf({ to, words: 'One', header: said('pass') }));
    await on.comes(mailOf({ to, words: 'Two', header: said('fail') }));
    await delivered(id, 2);
    expect(on.replies(id)[0]).toContain('\nBy mail from ada@example.com (dmarc=pass)\n');
    expect(on.replies(id)[1]).toContain('\nBy mail from ada@example.com, not verified (dmarc=fail)\n');
  });

  it('and MAIL_IN_REQUIRE=dmarc, a mail without a pass is set aside, also with a header of its own below [mail-12]', async () => {
    await start({ MAIL_IN_SERVER: 'mx.shop.test', MAIL_IN_REQUIRE: 'dmarc' });
    const id = await on.opened();
    const to = await on.replyTo(id);
    await on.comes(mailOf({ to, words: 'None' }));
    await on.comes(mailOf({ to, words: 'Forged', header: [...said('fail'), ...said('pass')] }));
    await on.comes(mailOf({ to, words: 'Good', header: said('pass') }));
    await delivered(id, 1);
    expect(on.replies(id)[0]).toMatch(/^Good/);
    expect(await on.asides()).toHaveLength(2);
  });
});

it('a plain MAIL_REPLY_TO needs no addresses with a suffix: ids of the mails find the ticket', async () => {
  await start({ MAIL_REPLY_TO: readMailbox('help@shop.test') });
  const id = await on.opened();
  await on.answer(id);
  await on.wait();
  const [mail] = await on.mails();
  expect(mail!.header('Reply-To')).toBe('Acme <help@shop.test>');
  const messageId = mail!.header('Message-ID')!;
  await on.comes(
    mailOf({ to: 'help@shop.test', header: [`In-Reply-To: ${messageId}`, `References: ${messageId}`] }),
  );
  await delivered(id, 1);
});

it('without FILES, agents read which files of a mail could not be taken', async () => {
  await start({ FILES: 'off' });
  const id = await on.opened();
  await on.comes(mailWithFile({ to: await on.replyTo(id) }, 'list.txt', 'text/plain', 'a list'));
  await delivered(id, 1);
  expect(on.replies(id)[0]).toContain('\nFiles of the mail that were not taken: list.txt\n');
});

it('what is kept of mails is in the data of their sender, and goes when the operator forgets the address', async () => {
  await start({ MAIL_IN_SERVER: 'mx.shop.test', MAIL_IN_REQUIRE: 'dmarc' });
  const browser = await signedIn(on.bff, ada);
  const id = await on.opened(browser);
  const to = await on.replyTo(id);
  await on.comes(mailOf({ to, words: 'Set aside' }));
  await on.comes(
    mailOf({ to, words: 'Taken', header: ['Authentication-Results: mx.shop.test; dmarc=pass'] }),
  );
  await delivered(id, 1);
  const data = await on.bff.operatorData.export(ada);
  expect(data!.mails).toEqual([
    { received_at: expect.any(String), from: ada, subject: 'Re: Your message', text: 'Set aside' },
  ]);
  expect(data!.customers[0]!.sends.map(({ mail }) => mail?.text)).toEqual([undefined, 'Taken']);
  await until(async () =>
    expect(await on.bff.operatorData.forget(ada, 'keep')).toMatchObject({ undelivered: 0 }),
  );
  expect(await on.bff.store.selectFrom('mails_in').selectAll().execute()).toEqual([]);
  expect(await on.bff.store.selectFrom('reply_tokens').selectAll().execute()).toEqual([]);
});

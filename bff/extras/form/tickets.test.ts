import { createHash, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';
import { formFile, formOf } from './testing/form.ts';

const sentence = { en: 'I agree to the [notice](https://shop.test/privacy).', de: 'Ich stimme zu.' };
const form = formOf(formFile);
const withConsent = formOf({ ...formFile, consent: { type: 'checkbox', text: sentence } });
const answers = {
  version: form.version,
  topic: 'order',
  fields: { 'order-number': 'AB-123456', urgent: true },
};

let bff: TestBff;
afterEach(() => bff.stop());

const descriptionAt = () => String([...bff.service.tickets.values()].at(-1)!['description']);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a ticket with answers', () => {
  it('has them for agents after the text, and shows none of them to its customer', async () => {
    bff = await startBff({ values: { FORM_FILE: form } });
    const ada = bff.browser();
    const { status, data } = await ada.openTicket({ form: answers });
    expect(status).toBe(201);
    expect(descriptionAt().split('\n').slice(2)).toEqual([
      '',
      'Topic: My order',
      'Order number: AB-123456',
      'It is urgent: yes',
      '',
      expect.stringMatching(/^Deskside: e-mail not verified · details 3 · ref DS-\w{12}$/),
    ]);
    expect(data.messages[0].body).toBe(ticketBody.description);
    const { data: read } = await ada.get(paths.ticket(data.id));
    expect(read.messages[0].body).toBe(ticketBody.description);
  });

  it('has the priority of its topic, unless the customer has chosen one', async () => {
    bff = await startBff({ values: { FORM_FILE: form } });
    const sent = () => bff.service.writes().at(-1)!.body['priority'];
    await bff.browser().openTicket({ form: answers });
    expect(sent()).toBe('high');
    await bff.browser().openTicket({ form: answers, priority: 'low' });
    expect(sent()).toBe('low');
    await bff.browser().openTicket({ form: { version: form.version, topic: 'other' } });
    expect(sent()).toBeUndefined();
  });

  it('is refused with an error for each field that is invalid', async () => {
    bff = await startBff({ values: { FORM_FILE: withConsent } });
    const { version } = withConsent;
    const { status, error } = await bff.browser().openTicket({
      form: { version, topic: 'order', fields: { 'order-number': '17' } },
    });
    expect([status, error.fields]).toEqual([400, { 'form.order-number': 'invalid', consent: 'required' }]);
    expect(bff.service.writes()).toEqual([]);
  });

  it('is refused when text and answers together are too long', async () => {
    bff = await startBff({ values: { FORM_FILE: form } });
    const { error } = await bff.browser().openTicket({ form: answers, description: 'x'.repeat(19_600 - 1) });
    expect(error?.fields).toBeUndefined();
    const long = formOf({
      fields: Array.from({ length: 3 }, (_, at) => ({ id: `f${at}`, label: 'F', type: 'text' })),
    });
    await bff.stop();
    bff = await startBff({ values: { FORM_FILE: long } });
    const fields = Object.fromEntries(long.fields.map(({ id }) => [id, 'y'.repeat(200)]));
    const refused = await bff
      .browser()
      .openTicket({ form: { version: long.version, fields }, description: 'x'.repeat(19_600) });
    expect(refused.error.fields).toEqual({ description: 'too_long' });
  });

  it.each([
    ['to a form that the operator has changed since', true, { ...answers, version: 'older' }],
    [
      'that fit no more',
      false,
      { version: 'older', topic: 'gone', fields: { 'order-number': '17', gone: 'x' } },
    ],
    ['that cannot be read', false, { version: 4, fields: 'none' }],
    ['of an app that does not know the form', false, undefined],
  ])('%s is accepted with what fits', async (_, isKept, given) => {
    bff = await startBff({ values: { FORM_FILE: withConsent } });
    const { status } = await bff.browser().openTicket({ form: given });
    expect(status).toBe(201);
    expect(descriptionAt().includes('Order number: AB-123456')).toBe(isKept);
    expect(descriptionAt()).not.toContain('Consent');
    expect(descriptionAt()).not.toContain(': 17');
  });

  it('is the same send when it comes again after a change of the form', async () => {
    bff = await startBff({ values: { FORM_FILE: form } });
    const [ada, key] = [bff.browser(), randomUUID()];
    await ada.openTicket({ form: answers }, key);
    const again = await ada.openTicket({ form: { ...answers, version: 'older', topic: 'other' } }, key);
    expect(again.status).toBe(201);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('has no answers where the operator has no form', async () => {
    bff = await startBff();
    await bff.browser().openTicket({ form: answers });
    expect(descriptionAt()).not.toMatch(/details|AB-123456/);
  });
});

describe('a consent', () => {
  const agreed = { version: withConsent.version, consent: true };

  it('is recorded with its time and the sentence in the language of the customer, and shown to agents', async () => {
    bff = await startBff({ values: { FORM_FILE: withConsent } });
    const ada = bff.browser();
    await ada.openTicket({ form: agreed, language: 'de' });
    const { data } = await ada.get(accountPaths.data);
    const { text_sha256: hash, given_at: at } = data.sends[0].consent;
    expect(hash).toBe(sha256(sentence.de));
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
    expect(descriptionAt()).toContain(`\nConsent: ${hash.slice(0, 16)} at ${at.slice(0, 16)}Z\n`);
    await bff.browser().openTicket({ form: agreed, language: 'constructor' });
    expect(descriptionAt()).toContain(sha256(sentence.en).slice(0, 16));
  });

  it('is recorded once when its ticket comes again', async () => {
    bff = await startBff({ values: { FORM_FILE: withConsent } });
    const [ada, key] = [bff.browser(), randomUUID()];
    await ada.openTicket({ form: agreed }, key);
    await ada.openTicket({ form: agreed }, key);
    expect(await bff.store.selectFrom('consents').selectAll().execute()).toHaveLength(1);
  });

  it('is deleted with the data of its customer, and is part of an operator’s export', async () => {
    bff = await startBff({ values: { FORM_FILE: withConsent } });
    const ada = bff.browser();
    await ada.openTicket({ form: agreed });
    const found = await bff.operatorData.export(ticketBody.customer_email);
    expect(found!.customers[0]!.sends[0]!.consent?.text_sha256).toBe(sha256(sentence.en));
    await bff.operatorData.forget(ticketBody.customer_email, 'keep');
    expect(await bff.store.selectFrom('consents').selectAll().execute()).toEqual([]);
  });
});

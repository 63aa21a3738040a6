import { describe, expect, it } from 'vitest';
import { maxLength } from '../../../shared/contract/limits.ts';
import { fakeClock, newStore } from '../testing/fakes.ts';
import { createDrafts } from './drafts.ts';
import { createNewTicket, type FieldName } from './new-ticket.ts';

function setUp(storage = newStore()) {
  const clock = fakeClock();
  const drafts = createDrafts(storage, clock, null);
  return { form: createNewTicket(drafts), clock, drafts, storage };
}

function filled() {
  const all = setUp();
  all.form.set('customer_email', 'ana@example.com');
  all.form.set('subject', ' My order ');
  all.form.set('description', 'Where is it?\n');
  return all;
}

describe('the check of the form', () => {
  it('returns the trimmed payload, without empty fields', () => {
    const { form } = filled();
    expect(form.check(undefined)).toEqual({
      customer_email: 'ana@example.com',
      subject: 'My order',
      description: 'Where is it?',
      context: {},
    });
    form.set('customer_name', 'Ana');
    form.set('priority', 'high');
    expect(form.check('https://shop.example/cart')).toMatchObject({
      customer_name: 'Ana',
      priority: 'high',
      context: { page_url: 'https://shop.example/cart' },
    });
  });

  it('takes what shows nothing for empty, and no subject from it', () => {
    const { form } = filled();
    form.set('subject', '\u200b');
    form.set('customer_name', '\u3164');
    form.set('description', '\u200f\n\u2800\nWhere is it?');
    expect(form.check(undefined)).toMatchObject({ subject: 'Where is it?' });
    expect(form.check(undefined)).not.toHaveProperty('customer_name');
    form.set('description', '\u200b\u2060 ');
    expect(form.check(undefined)).toBeNull();
    expect(form.errors.value['description']).toBe('required');
  });

  it('leaves out a page address that is too long', () => {
    const payload = filled().form.check(`https://shop.example/${'x'.repeat(maxLength.page_url)}`);
    expect(payload!.context).toEqual({});
  });

  it('includes what the page said last for agents', () => {
    const { form } = filled();
    form.describe({ page_title: 'Cart', attributes: { plan: 'Basic' } });
    form.describe({ page_title: 'Checkout', attributes: { order: 4711 } });
    const page_url = 'https://shop.example/cart';
    expect(form.check(page_url)!.context).toEqual({
      page_url,
      page_title: 'Checkout',
      attributes: { order: 4711 },
    });
  });

  it('reports fields that are empty or have white space only', () => {
    const { form } = setUp();
    form.set('subject', '  ');
    expect(form.check(undefined)).toBeNull();
    expect(form.errors.value).toEqual({
      customer_email: 'required',
      description: 'required',
    });
    expect(form.failure.value).toBe('invalid_request');
  });

  it.each(['customer_name', 'subject', 'description'] as const)(
    'counts %s in UTF-16 units',
    (name: FieldName) => {
      const { form } = filled();
      form.set(name, '🛟'.repeat(maxLength[name] / 2));
      expect(form.check(undefined)).not.toBeNull();
      form.set(name, '🛟'.repeat(maxLength[name] / 2 + 1));
      expect(form.check(undefined)).toBeNull();
      expect(form.errors.value).toEqual({ [name]: 'too_long' });
    },
  );

  it.each(['ana', 'ana@', '@example.com', 'a na@example.com', 'ana@exam ple.com'])(
    'refuses %s as an address',
    (email) => {
      const { form } = filled();
      form.set('customer_email', email);
      expect(form.check(undefined)).toBeNull();
      expect(form.errors.value).toEqual({ customer_email: 'invalid' });
    },
  );
});

describe('an error', () => {
  it('of a missing address is cleared when the session fills it in after "Send" was pressed', () => {
    const { form } = setUp();
    form.set('description', 'Where is it?');
    expect(form.check(undefined)).toBeNull();
    form.introduce({ email: 'ana@example.com', name: null, verified: true, owner: 'ana' });
    expect([form.errors.value, form.failure.value]).toEqual([{}, null]);
    expect(form.check(undefined)).toMatchObject({ customer_email: 'ana@example.com' });
  });

  it('of an address that the BFF has refused stays when the session names the same one', () => {
    const { form } = filled();
    form.refuse({ customer_email: 'invalid' }, 'invalid_request');
    form.introduce({ email: 'ana@example.com', name: null, verified: true, owner: 'ana' });
    expect([form.errors.value, form.failure.value]).toEqual([
      { customer_email: 'invalid' },
      'invalid_request',
    ]);
  });

  it('is cleared as soon as its field is valid, and the last one clears the failure too', () => {
    const { form } = setUp();
    form.set('subject', 'My order');
    form.set('description', 'Where is it?');
    form.check(undefined);
    form.set('customer_email', 'ana');
    expect(form.errors.value).toEqual({ customer_email: 'required' });
    form.set('customer_email', 'ana@example.com');
    expect(form.errors.value).toEqual({});
    expect(form.failure.value).toBeNull();
  });
});

describe('a subject that is left empty', () => {
  it.each([
    ['\n  Where is my order?  \nIt is late.', 'Where is my order?'],
    [`${'word '.repeat(30)}end`, 'word '.repeat(16).trim()],
    ['Order\t7 \u0007is late', 'Order 7 is late'],
    ['茶'.repeat(200), '茶'.repeat(80)],
    ['🛟'.repeat(200), '🛟'.repeat(80)],
  ])('is replaced by the start of the text, as far as it fits into a list: %j', (description, subject) => {
    const { form } = setUp();
    form.set('customer_email', 'ana@example.com');
    form.set('description', description);
    expect(form.check(undefined)?.subject).toBe(subject);
  });

  it('stays empty in the form', () => {
    const { form } = setUp();
    form.set('customer_email', 'ana@example.com');
    form.set('description', 'My teapot is broken');
    form.check(undefined);
    expect(form.fields.value.subject).toBe('');
    form.set('subject', 'Can you help?');
    expect(form.check(undefined)?.subject).toBe('Can you help?');
  });

  it('is not derived when the site has filled in one', () => {
    const { form } = setUp();
    form.prefill({ subject: 'Order 7', customer_email: 'ana@example.com' });
    form.set('description', 'Hello');
    expect(form.check(undefined)?.subject).toBe('Order 7');
  });
});

describe('what is filled in automatically', () => {
  it('overwrites nothing that the customer changed, not even an emptied field', () => {
    const { form } = setUp();
    form.set('subject', 'Mine');
    form.prefill({ subject: 'Theirs', customer_name: 'Ana', description: undefined });
    form.set('customer_name', '');
    form.prefill({ customer_name: 'Ana' });
    expect(form.fields.value).toMatchObject({ subject: 'Mine', customer_name: '', description: '' });
  });

  it('is replaced by the next page’s values, and not stored', async () => {
    const { form, storage, clock } = setUp();
    form.prefill({ subject: 'Order 1' });
    form.prefill({ subject: 'Order 2' });
    expect(form.fields.value.subject).toBe('Order 2');
    await clock.advance(300);
    expect(setUp(storage).form.fields.value.subject).toBe('');
  });

  it('counts as the customer’s text once undelivered texts were added', () => {
    const { form } = setUp();
    form.prefill({ subject: 'Refused' });
    form.add(['kept', ' ', 'too']);
    form.prefill({ subject: 'Another' });
    form.add(['and this']);
    expect(form.fields.value).toMatchObject({ subject: 'Refused', description: 'kept\n\ntoo\n\nand this' });
  });

  it('has an undelivered text once that is added in two tabs, also a short one that is part of a word', () => {
    const { form } = setUp();
    form.add(['Since yesterday.', 'yes']);
    form.add(['Since yesterday.', 'yes']);
    expect(form.fields.value.description).toBe('Since yesterday.\n\nyes');
  });
});

describe('a draft', () => {
  it('survives a reload once stored, at the latest when the page is left', async () => {
    const { storage, clock, form } = filled();
    expect(setUp(storage).form.fields.value.subject).toBe('');
    await clock.advance(300);
    expect(setUp(storage).form.fields.value.subject).toBe(' My order ');
    const second = setUp(storage);
    second.form.set('subject', 'Changed');
    second.drafts.flush();
    expect(setUp(storage).form.fields.value.subject).toBe('Changed');
    form.clear();
    expect(setUp(storage).form.fields.value.subject).toBe('');
  });

  it('is empty when the stored one has another shape', () => {
    const storage = newStore();
    storage.write('draft:new', { subject: 7 });
    expect(setUp(storage).form.fields.value.subject).toBe('');
  });

  it('of an older version with fewer fields keeps its texts', () => {
    const storage = newStore();
    storage.write('draft:new', { description: 'The lid is chipped.', unknown: 1 });
    const { form } = setUp(storage);
    expect(form.fields.value).toEqual({
      customer_name: '',
      customer_email: '',
      subject: '',
      description: 'The lid is chipped.',
      priority: '',
      notify: '',
      answers: '',
    });
  });

  it('is not stored again by a pending save after it was cleared', async () => {
    const { storage, clock, form } = filled();
    form.clear();
    await clock.advance(1_000);
    expect(storage.names('draft:')).toEqual([]);
  });
});

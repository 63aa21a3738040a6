import { describe, expect, it } from 'vitest';
import { maxLength } from '../../../bff/contract/limits.ts';
import { fakeClock, newStore } from '../testing/fakes.ts';
import { createDrafts } from './drafts.ts';
import type { FieldName } from './new-ticket.ts';
import { createNewTicket } from './new-ticket.ts';

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

describe('check', () => {
  it('gives the trimmed payload, without what was left empty', () => {
    const { form } = filled();
    expect(form.check(undefined)).toEqual({
      customer_email: 'ana@example.com',
      subject: 'My order',
      description: 'Where is it?',
    });
    form.set('customer_name', 'Ana');
    form.set('priority', 'high');
    expect(form.check('https://shop.example/cart')).toMatchObject({
      customer_name: 'Ana',
      priority: 'high',
      context: { page_url: 'https://shop.example/cart' },
    });
  });

  it('leaves out an address of the page that is too long to send', () => {
    expect(filled().form.check(`https://shop.example/${'x'.repeat(maxLength.page_url)}`)).not.toHaveProperty(
      'context',
    );
  });

  it('names what is missing, white space included', () => {
    const { form } = setUp();
    form.set('subject', '  ');
    expect(form.check(undefined)).toBeNull();
    expect(form.faults.value).toEqual({
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
      expect(form.faults.value).toEqual({ [name]: 'too_long' });
    },
  );

  it.each(['ana', 'ana@', '@example.com', 'a na@example.com', 'ana@exam ple.com'])(
    'refuses %s as an address',
    (email) => {
      const { form } = filled();
      form.set('customer_email', email);
      expect(form.check(undefined)).toBeNull();
      expect(form.faults.value).toEqual({ customer_email: 'invalid' });
    },
  );
});

describe('faults', () => {
  it('clear as soon as their field is right, and the failure with the last of them', () => {
    const { form } = setUp();
    form.set('subject', 'My order');
    form.set('description', 'Where is it?');
    form.check(undefined);
    form.set('customer_email', 'ana');
    expect(form.faults.value).toEqual({ customer_email: 'required' });
    form.set('customer_email', 'ana@example.com');
    expect(form.faults.value).toEqual({});
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
  ])('is the first line of the text, as far as a list has room: %j', (description, subject) => {
    const { form } = setUp();
    form.set('customer_email', 'ana@example.com');
    form.set('description', description);
    expect(form.check(undefined)?.subject).toBe(subject);
  });

  it('stays empty in the form, so that nothing moves under the caret', () => {
    const { form } = setUp();
    form.set('customer_email', 'ana@example.com');
    form.set('description', 'My teapot is broken');
    form.check(undefined);
    expect(form.fields.value.subject).toBe('');
    form.set('subject', 'Can you help?');
    expect(form.check(undefined)?.subject).toBe('Can you help?');
  });

  it('is not derived where the site has filled in one', () => {
    const { form } = setUp();
    form.prefill({ subject: 'Order 7', customer_email: 'ana@example.com' });
    form.set('description', 'Hello');
    expect(form.check(undefined)?.subject).toBe('Order 7');
  });
});

describe('what is filled in for the customer', () => {
  it('overwrites nothing of theirs, not even what they emptied', () => {
    const { form } = setUp();
    form.set('subject', 'Mine');
    form.prefill({ subject: 'Theirs', customer_name: 'Ana', description: undefined });
    form.set('customer_name', '');
    form.prefill({ customer_name: 'Ana' });
    expect(form.fields.value).toMatchObject({ subject: 'Mine', customer_name: '', description: '' });
  });

  it('gives way to the next page’s, and is not kept over a reload', async () => {
    const { form, storage, clock } = setUp();
    form.prefill({ subject: 'Order 1' });
    form.prefill({ subject: 'Order 2' });
    expect(form.fields.value.subject).toBe('Order 2');
    await clock.advance(300);
    expect(setUp(storage).form.fields.value.subject).toBe('');
  });

  it('is theirs once texts that came back were added to it', () => {
    const { form } = setUp();
    form.prefill({ subject: 'Refused' });
    form.add(['kept', ' ', 'too']);
    form.prefill({ subject: 'Another' });
    form.add(['and this']);
    expect(form.fields.value).toMatchObject({ subject: 'Refused', description: 'kept\n\ntoo\n\nand this' });
  });
});

describe('draft', () => {
  it('survives a reload once saved, at the latest when the page goes', async () => {
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

  it('begins anew when what is stored has another shape', () => {
    const storage = newStore();
    storage.write('draft:new', { subject: 7 });
    expect(setUp(storage).form.fields.value.subject).toBe('');
  });

  it('that was cleared does not come back with a save that was due', async () => {
    const { storage, clock, form } = filled();
    form.clear();
    await clock.advance(1_000);
    expect(storage.names('draft:')).toEqual([]);
  });
});

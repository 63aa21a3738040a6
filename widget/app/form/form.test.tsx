import { fireEvent, screen, within } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import type { FormAnswers, SiteForm } from '../../../shared/contract/form.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import { createSite } from '../site/site.tsx';
import { http, newStore, settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';
import { startForm } from './form.tsx';

const form: SiteForm = {
  version: 'v1',
  topics: [
    { id: 'order', label: 'My order', hint: 'Tell us the order number.', fields: ['order-number'] },
    { id: 'other', label: 'Something else' },
  ],
  fields: [
    {
      id: 'order-number',
      label: 'Order number',
      type: 'text',
      pattern: '[A-Z]{2}-\\d{6}',
      example: 'AB-123456',
      required: true,
    },
    { id: 'shop', label: 'Shop', type: 'choice', options: [{ id: 'berlin', label: 'Berlin' }] },
    { id: 'urgent', label: 'It is urgent', type: 'checkbox' },
  ],
};
const sentences = {
  topic: 'Topic',
  example: 'For example {example}',
  choose: 'Please choose',
  tick: 'Please tick this box to continue',
};
const consent = { type: 'checkbox', text: 'I agree to the [notice](https://shop.test/privacy).' } as const;

const withForm = (given: SiteForm) => (newTicket: NewTicketModel) =>
  createSite({ sentences: {} }, 'en', startForm(given, sentences, newTicket));

let app: Awaited<ReturnType<typeof showApp>>;
async function show(given: SiteForm = form, more: NonNullable<Parameters<typeof showApp>[0]> = {}) {
  app = await showApp({ settings: {}, ...more, site: withForm(given) });
}
prepareScreen();

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const choose = (label: string) => fireEvent.click(screen.getByRole('radio', { name: label }));
const type = (label: string, value: string) => fireEvent.input(field(label), { target: { value } });
async function write() {
  type('Message', 'Where is my tea?');
  type('Email', 'ana@example.com');
  await settle();
}
async function send() {
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await settle();
}
const sent = (): FormAnswers | undefined => {
  const [first] = app.models.outbox.sends.value;
  return first?.kind === 'ticket' ? first.payload.form : undefined;
};

describe('the operator’s form', () => {
  it('shows the fields of a topic with that topic only, and all other fields always', async () => {
    await show();
    expect(screen.getByRole('radiogroup', { name: 'Topic' })).toBeDefined();
    expect(screen.queryByLabelText('Order number')).toBeNull();
    field('Shop');
    field('It is urgent');
    choose('My order');
    await settle();
    screen.getByText('Tell us the order number.');
    screen.getByText('For example AB-123456');
    field('Order number');
    choose('Something else');
    await settle();
    expect(screen.queryByLabelText('Order number')).toBeNull();
    expect(screen.queryByText('Tell us the order number.')).toBeNull();
  });

  it('sends what was answered, with the version of the form', async () => {
    await show();
    await write();
    choose('My order');
    await settle();
    type('Order number', ' AB-123456 ');
    fireEvent.change(field('Shop'), { target: { value: 'berlin' } });
    fireEvent.click(field('It is urgent'));
    await send();
    expect(sent()).toEqual({
      version: 'v1',
      topic: 'order',
      fields: { 'order-number': 'AB-123456', shop: 'berlin', urgent: true },
    });
    expect(app.storage.read('draft:new')).toBeNull();
  });

  it('sends nothing of a field that is not asked for any more', async () => {
    await show();
    await write();
    choose('My order');
    await settle();
    type('Order number', 'AB-123456');
    choose('Something else');
    await send();
    expect(sent()).toEqual({ version: 'v1', topic: 'other', fields: {} });
  });

  it('ties errors to their fields, names them in the summary, and removes them once corrected', async () => {
    await show({ ...form, topicRequired: true, consent });
    await write();
    await send();
    const summary = screen.getByRole('group', { name: 'Please fix the following' });
    fireEvent.click(within(summary).getByRole('button', { name: 'Topic' }));
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'My order' }));
    expect(screen.getByRole('radiogroup').getAttribute('aria-invalid')).toBe('true');
    fireEvent.click(within(summary).getByRole('button', { name: 'I agree to the notice.' }));
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: /I agree/ }));
    screen.getByText(sentences.tick);

    choose('My order');
    fireEvent.click(screen.getByRole('checkbox', { name: /I agree/ }));
    await settle();
    expect(screen.queryByRole('group', { name: 'Please fix the following' })).toBeNull();
    type('Order number', '17');
    await send();
    expect(field('Order number').getAttribute('aria-invalid')).toBe('true');
    screen.getByText('Please check “Order number”');
    type('Order number', 'AB-123456');
    await settle();
    expect(field('Order number').getAttribute('aria-invalid')).toBe('false');
    await send();
    expect(sent()).toMatchObject({ topic: 'order', consent: true });
  });

  it('lists its errors in the summary in the order of the form', async () => {
    await show({ ...form, topicRequired: true, consent, fields: [{ ...form.fields[2]!, required: true }] });
    await send();
    const summary = screen.getByRole('group', { name: 'Please fix the following' });
    expect(
      within(summary)
        .getAllByRole('button')
        .map((button) => button.textContent),
    ).toEqual(['Topic', 'Message', 'It is urgent', 'Email', 'I agree to the notice.']);
  });

  it('shows errors that only the server has found', async () => {
    const refusal = http('invalid_request', { fields: { 'form.shop': 'invalid' } });
    await show(form, { calls: { createTicket: async () => refusal } });
    await write();
    fireEvent.change(field('Shop'), { target: { value: 'berlin' } });
    await send();
    expect(field('Shop').getAttribute('aria-invalid')).toBe('true');
    expect(field('Shop').value).toBe('berlin');
    expect(field('Message').value).toBe('Where is my tea?');
  });

  it('keeps answers over a reload', async () => {
    const storage = newStore();
    await show({ ...form, consent }, { storage });
    choose('My order');
    await settle();
    type('Order number', 'AB-1');
    fireEvent.click(screen.getByRole('checkbox', { name: /I agree/ }));
    await app.clock.advance(250);
    app.end();
    await show({ ...form, consent }, { storage });
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'My order' }).checked).toBe(true);
    expect(field('Order number').value).toBe('AB-1');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /I agree/ }).checked).toBe(true);
  });

  it.each([
    ['nothing that is JSON', '{'],
    ['another shape', '{"topic":4,"fields":"x","consent":"y"}'],
  ])('starts empty if the draft has %s', async (_, answers) => {
    const storage = newStore();
    storage.write('draft:new', { answers });
    await show(form, { storage });
    expect(screen.queryByRole('radio', { checked: true })).toBeNull();
  });
});

describe('a page that fills in answers', () => {
  it('fills in what the customer has not answered, but never a consent', async () => {
    await show({ ...form, consent });
    const { newTicket } = app.models;
    type('Message', 'Hello');
    choose('Something else');
    await settle();
    newTicket.prefill({
      topic: 'order',
      fields: { 'order-number': 'AB-123456', shop: 'berlin', urgent: true, unknown: 'x' },
    });
    await settle();
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Something else' }).checked).toBe(true);
    expect(field('Shop').value).toBe('berlin');
    expect(field('It is urgent').checked).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /I agree/ }).checked).toBe(false);
    choose('My order');
    await settle();
    expect(field('Order number').value).toBe('AB-123456');
    type('Order number', 'AB-1');
    newTicket.prefill({ fields: { 'order-number': 'AB-999999' } });
    await settle();
    expect(field('Order number').value).toBe('AB-1');
  });

  it.each([[{ topic: 4, fields: 'x' }], [{ topic: 'unknown', fields: { shop: {} } }], [{ fields: null }]])(
    'with %j fills in nothing',
    async (prefill) => {
      await show();
      app.models.newTicket.prefill(prefill);
      await settle();
      expect(screen.queryByRole('radio', { checked: true })).toBeNull();
      expect(field('Shop').value).toBe('');
    },
  );
});

describe('a consent', () => {
  it('has links that open in a new tab', async () => {
    await show({
      ...form,
      consent: { type: 'line', text: 'See [this](https://a.test/) and [that](http://b.test/x).' },
    });
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'this' });
    expect([link.href, link.target, link.rel]).toEqual(['https://a.test/', '_blank', 'noopener noreferrer']);
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'that' }).href).toBe('http://b.test/x');
  });

  it('has no link with another scheme [browser-40]', async () => {
    await show({ ...form, consent: { type: 'line', text: 'See [this](javascript:alert) <b>now</b>' } });
    expect(screen.queryByRole('link')).toBeNull();
    screen.getByText(/See this <b>now<\/b>/);
  });

  it('that is only a line of text is given by sending', async () => {
    await show({ ...form, consent: { type: 'line', text: 'To send is to agree.' } });
    await write();
    await send();
    expect(sent()).toMatchObject({ consent: true });
  });
});

import { fireEvent, screen, within } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import { maxLength } from '../../../shared/contract/limits.ts';
import { aTicket, http, newStore, settle } from '../testing/fakes.ts';
import { createSite } from '../site/site.tsx';
import { prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

const type = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } });
async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}
async function fillAndSend() {
  type('Email', 'ana@example.com');
  type('Subject', 'My order');
  type('Message', 'Where is it?');
  await press('Send');
}

describe('the form', () => {
  it('is the start view of a customer without tickets, with the usual labels', async () => {
    app = await showApp();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('How can we help?');
    for (const label of ['Message', 'Subject', 'Email', 'Your name']) screen.getByLabelText(label);
    expect(screen.queryByLabelText('Priority')).toBeNull();
    screen.getByRole('button', { name: 'Send' });
  });

  it('keeps password managers out of the message, and lets browsers fill in the address', async () => {
    app = await showApp();
    const autocomplete = (label: string) => screen.getByLabelText(label).getAttribute('autocomplete');
    expect([autocomplete('Message'), autocomplete('Email')]).toEqual(['off', 'email']);
  });

  it('shows message, address and name, and the subject only if the site asks for it', async () => {
    app = await showApp({ settings: {} });
    for (const label of ['Email', 'Your name']) screen.getByLabelText(label);
    expect(screen.queryByLabelText('Subject')).toBeNull();
    type('Message', 'Where is my order? I have waited for two weeks.');
    type('Email', 'ana@example.com');
    await press('Send');
    expect(app.models.outbox.sends.value[0]).toMatchObject({ payload: { subject: 'Where is my order?' } });
  });

  it('shows an optional field that the site has filled in, and keeps it while it is rewritten', async () => {
    app = await showApp({ settings: {} });
    app.models.newTicket.prefill({ subject: 'Order 4711', customer_name: 'Ana' });
    await settle();
    type('Subject', '');
    await settle();
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('');
  });

  it('asks for consent to a mail only where mails are sent, and sends it with the ticket', async () => {
    app = await showApp();
    expect(screen.queryByRole('checkbox')).toBeNull();
    app.end();
    const notify = 'Tell me by mail when there’s a reply';
    app = await showApp({ site: createSite({ sentences: { notify } }, 'en') });
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: notify });
    expect(box.checked).toBe(false);
    fireEvent.click(box);
    await fillAndSend();
    expect(app.models.outbox.sends.value[0]).toMatchObject({ payload: { notify: true } });
  });

  it('says when an answer comes', async () => {
    const sentences = { replyTime: 'Usually replies in 2 hours' };
    app = await showApp({ site: createSite({ sentences }, 'en') });
    expect(screen.getByText('Usually replies in 2 hours').className).toBe('reply-time');
  });

  it('says what the operator tells everybody, at its time, with their links', async () => {
    const now = Date.now();
    const links = [{ label: 'Returns', url: 'https://shop.example/returns' }];
    const notice = { text: 'We are late.', from: now - 1_000, until: now + 60_000 };
    app = await showApp({ site: createSite({ sentences: {}, notices: [notice], links }, 'en') });
    screen.getByText('We are late.');
    expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Returns' }).target).toBe('_blank');
    for (const over of [{ from: now + 60_000 }, { until: now }]) {
      app.end();
      app = await showApp({ site: createSite({ sentences: {}, notices: [{ ...notice, ...over }] }, 'en') });
      expect(screen.queryByText('We are late.')).toBeNull();
    }
  });

  it('says what the status page reports, as text and with a link, once the operator’s notice is over', async () => {
    const incident = {
      text: '<b>Payments</b> are slow',
      link: { label: 'Status page', url: 'https://status.example' },
    };
    const own = { text: 'We are late.', until: Date.now() + 60_000 };
    app = await showApp({ site: createSite({ sentences: {}, notices: [own, incident] }, 'en') });
    expect(screen.queryByRole('link', { name: 'Status page' })).toBeNull();
    app.end();
    app = await showApp({
      site: createSite({ sentences: {}, notices: [{ ...own, until: 0 }, incident] }, 'en'),
    });
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Status page' });
    expect([link.target, link.rel]).toEqual(['_blank', 'noopener noreferrer']);
    expect(link.parentElement!.textContent).toBe('<b>Payments</b> are slow Status page');
  });

  it('shows the site’s logo over the initial of its name, and the initial where it cannot be loaded', async () => {
    app = await showApp({
      settings: { brand: 'acme', logo: '/logo.svg', page_url: 'https://shop.example/cart' },
    });
    const logo = app.root.querySelector('img')!;
    expect(logo.src).toBe('https://shop.example/logo.svg');
    expect(logo.alt).toBe('');
    fireEvent.error(logo);
    expect(app.root.querySelector('img')).toBeNull();
    expect(app.root.querySelector('.brand-mark')!.textContent).toBe('A');
  });

  it('takes greeting and priority from the settings', async () => {
    app = await showApp({ settings: { greeting: 'Hello!', priority: true } });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Hello!');
    expect(within(screen.getByLabelText('Priority')).getAllByRole('option')).toHaveLength(5);
  });

  it('ties each error to its field, and focuses their summary', async () => {
    app = await showApp();
    await press('Send');
    const summary = screen.getByRole('group', { name: 'Please fix the following' });
    expect(document.activeElement).toBe(summary);
    const email = screen.getByLabelText('Email');
    expect(email.getAttribute('aria-invalid')).toBe('true');
    const notes = email
      .getAttribute('aria-describedby')!
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
    expect(notes).toContain('Please fill in “Email”');
    screen.getByText('Please write a message');
    const toText = within(summary).getByRole('button', { name: 'Message' });
    fireEvent.click(toText);
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
    expect(screen.getByLabelText('Your name').getAttribute('aria-invalid')).toBe('false');
  });

  it('announces each error once: at its field, not also by a live region', async () => {
    app = await showApp();
    await press('Send');
    expect(screen.getAllByText('Please fill in “Email”')).toHaveLength(1);
    expect(screen.getAllByText('Please fix the following')).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('of a customer with tickets focuses the first empty required field', async () => {
    app = await showApp({ tickets: [aTicket()] });
    await press('New ticket');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ana@example.com');
    expect(document.activeElement).toBe(screen.getByLabelText('Message'));
  });

  it('keeps an empty subject empty while the customer moves between fields', async () => {
    app = await showApp();
    type('Message', 'Where is it?\nI ordered in May.');
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('');
    fireEvent.blur(screen.getByLabelText('Message'));
    await settle();
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('');
  });

  it('shows the server’s errors at their fields, and keeps every text', async () => {
    const refusal = http('invalid_request', { fields: { customer_email: 'invalid' } });
    app = await showApp({ calls: { createTicket: async () => refusal } });
    await fillAndSend();
    expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('My order');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Where is it?');
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Please fix the following' }));
  });

  it('shows the reason when the error concerns no field', async () => {
    app = await showApp({ calls: { createTicket: async () => http('forbidden_origin') } });
    await fillAndSend();
    const summary = screen.getByRole('group', { name: 'Something went wrong on our side.' });
    expect(document.activeElement).toBe(summary);
  });

  it('offers to verify an address that is over its limit, and keeps every text', async () => {
    app = await showApp({ calls: { createTicket: async () => http('email_unverified') } });
    await fillAndSend();
    const summary = screen.getByRole('group', { name: /^Too many tickets came from this email/ });
    fireEvent.click(within(summary).getByRole('button', { name: 'Verify email' }));
    await settle();
    expect(app.models.view.current.value).toEqual({ name: 'find' });
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await settle();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Where is it?');
  });

  it('shows the characters left near the limit, and how many are too many', async () => {
    app = await showApp();
    type('Subject', 'x'.repeat(maxLength.subject - 40));
    await settle();
    expect(screen.queryByText(/characters/)).toBeNull();
    type('Subject', `x${'🛟'.repeat(maxLength.subject / 2 - 1)}`);
    await settle();
    screen.getByText('1 character left');
    type('Subject', 'x'.repeat(maxLength.subject + 2));
    await settle();
    screen.getByText('2 characters too many');
  });

  it('keeps its elements and its heading when tickets arrive while the customer writes', async () => {
    app = await showApp();
    const subject = screen.getByLabelText('Subject');
    type('Subject', 'My order');
    await settle();
    app.models.session.change({ email: 'ana@example.com', name: null, verified: false, owner: null });
    app.models.tickets.put(aTicket());
    await settle();
    expect(screen.getByLabelText('Subject')).toBe(subject);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('How can we help?');
  });

  it.each(['Message', 'Email', 'Your name', 'Priority'])(
    'sends on Ctrl or Cmd with Enter from “%s”, but not while a word is being composed',
    async (label) => {
      app = await showApp({ settings: { priority: true } });
      type('Email', 'ana@example.com');
      type('Message', 'Where is it?');
      const field = screen.getByLabelText(label);
      fireEvent.keyDown(field, { key: 'Enter' });
      fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true, isComposing: true, keyCode: 229 });
      await settle();
      expect(app.models.outbox.sends.value).toHaveLength(0);
      fireEvent.keyDown(field, { key: 'Enter', metaKey: true });
      await settle();
      expect(app.models.outbox.sends.value).toHaveLength(1);
    },
  );

  it('shows the address in a pasted text once its field is left, and sends that', async () => {
    app = await showApp({ settings: {} });
    type('Message', 'Where is it?');
    type('Email', '\u200bAna <mailto:ana＠example.com>');
    fireEvent.change(screen.getByLabelText('Email'));
    await settle();
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ana@example.com');
    // Without leaving the field.
    type('Email', 'ana＠example.com');
    await press('Send');
    const { payload } = app.models.outbox.sends.value[0]!;
    expect(payload).toMatchObject({ customer_email: 'ana@example.com' });
  });

  it('offers the address that was probably meant once its field is left, and one press takes it', async () => {
    app = await showApp({ settings: {} });
    type('Email', 'ana@gmial.com');
    await settle();
    expect(screen.queryByText(/Did you mean/)).toBeNull();
    fireEvent.change(screen.getByLabelText('Email'));
    await settle();
    const offer = screen.getByRole('button', { name: 'Did you mean gmail.com?' });
    expect(offer.closest('output')).not.toBeNull();
    fireEvent.click(offer);
    await settle();
    const email = screen.getByLabelText<HTMLInputElement>('Email');
    expect(email.value).toBe('ana@gmail.com');
    expect(document.activeElement).toBe(email);
    expect(screen.queryByText(/Did you mean/)).toBeNull();
  });

  it('sends a misspelt address too', async () => {
    app = await showApp({ settings: {} });
    type('Message', 'Where is it?');
    type('Email', 'ana@gmial.com');
    fireEvent.change(screen.getByLabelText('Email'));
    await press('Send');
    expect(app.models.outbox.sends.value[0]).toMatchObject({ payload: { customer_email: 'ana@gmial.com' } });
  });

  it('that waits half-written shows its first words on the start, after a reload too', async () => {
    const storage = newStore();
    app = await showApp({ tickets: [aTicket()], storage });
    app.models.newTicket.prefill({ description: 'Filled in by the page' });
    await settle();
    await press('New ticket');
    type('Message', 'Where is my other order?');
    app.models.drafts.flush();
    app.end();
    app = await showApp({ tickets: [aTicket()], storage });
    await press('Continue your message Where is my other order?');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Where is my other order?');
  });

  it('of a reply that waits half-written shows in the row of its ticket', async () => {
    const storage = newStore();
    storage.write('draft:t1', 'One more thing');
    app = await showApp({ tickets: [aTicket(), aTicket({ id: 't2', closed: true })], storage });
    const [row] = screen.getAllByRole('button', { name: /My order/ });
    expect(row!.textContent).toContain('Draft One more thing');
  });

  it('keeps its texts over a reload', async () => {
    const storage = newStore();
    app = await showApp({ storage });
    type('Subject', 'My order');
    app.models.drafts.flush();
    app.end();
    app = await showApp({ storage });
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('My order');
  });
});

import { fireEvent, screen, within } from '@testing-library/preact';
import { describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../shared/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import { aMessage, aThread, aTicket, http, offline, settle } from '../testing/fakes.ts';
import { createSite } from '../site/site.tsx';
import { prepareScreen, showApp } from '../testing/screen.tsx';
import { MessageGroup } from './messages/Groups.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen();

const answer = (body: string, more: Partial<Message> = {}) =>
  aMessage({ id: `a-${body}`, author_type: 'agent', body, created_at: '2026-11-21T11:00:00Z', ...more });

async function openThread(messages: Message[] = [aMessage()], calls: Partial<Api> = {}, closed = false) {
  const ticket = async () => ({ ok: true as const, value: aThread(messages, { closed }) });
  app = await showApp({ tickets: [aTicket({ status: 'waiting_on_customer' })], calls: { ticket, ...calls } });
  fireEvent.click(screen.getByRole('button', { name: /My order/ }));
  await settle();
  return screen.getByRole('log', { name: 'Conversation' });
}

async function reply(body: string) {
  fireEvent.input(screen.getByRole('textbox', { name: 'Write a reply' }), { target: { value: body } });
  await settle();
  fireEvent.click(screen.getByRole('button', { name: 'Send reply' }));
  await settle();
}

const headings = () => screen.getAllByRole('heading').map((heading) => heading.textContent);

describe('a conversation', () => {
  it('shows number, readable status, messages and times that machines can read', async () => {
    const log = await openThread([aMessage(), answer('On its way')]);
    screen.getByText('#7');
    screen.getByText('waiting on customer', { exact: false });
    within(log).getByText('Where is my order?');
    const times = [...log.querySelectorAll('time')];
    expect(times.map((time) => time.dateTime)).toEqual(['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z']);
    expect(times[0]!.title).toContain('2026');
  });

  it('says where the answer will appear after a first message, until there is one', async () => {
    const log = await openThread();
    within(log).getByText('Thanks, we got it. Our reply will appear here.');
    await app.push({ name: 'message', data: { ticket_id: 't1', message: answer('On its way') } });
    expect(log.textContent).not.toContain('Thanks');
  });

  it('says when the answer to a new ticket comes, and where else its customer hears of it', async () => {
    const sentences = {
      notify: 'Mail me',
      replyTime: 'Usually replies in 2 hours',
      answerMail: 'We’ll tell {email}.',
    };
    for (const notify of ['', 'on']) {
      const site = createSite({ sentences }, 'en');
      app = await showApp({ site, calls: { createTicket: async () => ({ ok: true, value: aTicket() }) } });
      const { newTicket, sending } = app.models;
      newTicket.prefill({ description: 'Hello', customer_email: 'ana@example.com', notify });
      sending.submitTicket();
      await settle();
      const { textContent } = screen.getByRole('log');
      expect(textContent).toContain('Our reply will appear here.Usually replies in 2 hours');
      expect(textContent.includes('We’ll tell ana@example.com.')).toBe(notify === 'on');
      app.end();
    }
  });

  it.each(['solved', 'closed'])(
    'of a ticket that is %s does not say that an answer will come',
    async (status) => {
      const log = await openThread();
      await app.push({ name: 'ticket', data: aTicket({ status }) });
      expect(log.textContent).not.toContain('Thanks');
    },
  );

  it('separates days, and groups what one author says within minutes', async () => {
    const log = await openThread([
      answer('one', { created_at: '2026-11-19T10:00:00Z' }),
      answer('two', { created_at: '2026-11-19T10:02:00Z' }),
      answer('three', { created_at: '2026-11-21T10:00:00Z' }),
    ]);
    expect(
      [...log.querySelectorAll('.group')].map((group) => group.querySelectorAll('.message').length),
    ).toEqual([2, 1]);
    expect(log.querySelectorAll('.day')).toHaveLength(2);
  });

  it('links safe addresses only, and shows everything else as the text it is [browser-5]', async () => {
    const log = await openThread([
      answer(
        'See https://example.com/a?b=1. Or javascript:alert(1), <img src=x onerror=alert(1)> mailto:help@example.com',
      ),
    ]);
    const links = [...log.querySelectorAll('a')];
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://example.com/a?b=1',
      'mailto:help@example.com',
    ]);
    for (const link of links) expect(link.rel).toBe('noopener noreferrer nofollow');
    expect(log.querySelector('img')).toBeNull();
    expect(log.textContent).toContain('<img src=x onerror=alert(1)>');
  });

  it('shows code as code, its line breaks kept, and a long address shortened', async () => {
    const href = `https://example.com/${'a'.repeat(80)}`;
    const log = await openThread([answer(`Run \`npm ci\` on ${href}:\n\`\`\`\n<b>\n  1\n\`\`\``)]);
    expect([...log.querySelectorAll('code')].map((code) => code.textContent)).toEqual(['npm ci', '<b>\n  1']);
    const link = within(log).getByRole('link');
    expect(link.textContent).toMatch(/^https:\/\/example\.com\/a+…$/);
    expect(link.title).toBe(href);
  });

  it('is not rendered again while the customer writes, however long it is', async () => {
    const draw = vi.spyOn(MessageGroup.prototype, 'render');
    await openThread();
    const drawn = draw.mock.calls.length;
    const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a reply' });
    fireEvent.input(box, { target: { value: 'Hello' } });
    await settle();
    expect(app.models.drafts.reply('t1').value).toBe('Hello');
    expect(draw).toHaveBeenCalledTimes(drawn);
    await app.push({ name: 'message', data: { ticket_id: 't1', message: answer('On its way') } });
    expect(draw.mock.calls.length).toBeGreaterThan(drawn);
  });

  it('has a line before the first new message, with the number of new answers', async () => {
    const messages = [aMessage(), answer('one'), answer('two'), answer('three')];
    const ticket = async () => ({ ok: true as const, value: aThread(messages) });
    app = await showApp({ tickets: [aTicket({ unread: 2 })], calls: { ticket } });
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    const log = screen.getByRole('log');
    expect(log.textContent).toMatch(/one2 new replies.*two.*three$/s);
    expect(log.querySelectorAll('.new')).toHaveLength(1);
  });

  it('has a button to the newest message for customers who have scrolled up, with the number of new answers', async () => {
    const log = await openThread([aMessage(), answer('one')]);
    Object.defineProperty(log, 'scrollTop', { value: -500, writable: true });
    fireEvent.scroll(log);
    await settle();
    screen.getByRole('button', { name: 'Newest messages' });
    await app.push({ name: 'ticket', data: aTicket({ unread: 2 }) });
    fireEvent.click(screen.getByRole('button', { name: '2 new replies' }));
    expect(document.activeElement).toBe(log);
  });

  it('shows that a message is hidden', async () => {
    const log = await openThread([aMessage({ id: 'h', hidden: true, body: '' })]);
    within(log).getByText('Verify your email to see another reply');
    expect(within(log).queryByText('Sent')).toBeNull();
  });

  it('offers a retry when it could not be read, and says when it does not exist', async () => {
    const ticket = vi.fn<Api['ticket']>(async () => offline);
    app = await showApp({ tickets: [aTicket()], calls: { ticket } });
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    screen.getByText('This couldn’t be loaded');
    ticket.mockResolvedValue(http('not_found'));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    screen.getByText('This conversation isn’t available here');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

describe('own messages', () => {
  it('show their delivery state', async () => {
    const log = await openThread([aMessage()], { reply: () => new Promise<never>(() => {}) });
    within(log).getByText('Sent');
    await reply('Hello?');
    within(log).getByText('Sending…');
    expect(within(log).queryByText('Sent')).toBeNull();
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a reply' }).value).toBe('');
  });

  it('show that they wait while there is no network', async () => {
    const log = await openThread([aMessage()], { reply: async () => offline });
    await reply('Hello?');
    expect(log.textContent).toMatch(/Hello\?.*Waiting to be delivered/);
    expect(log.textContent).not.toContain('close this page');
  });

  it.each(['accepted', 'unknown'] as const)(
    'that are %s at the BFF say that the page can be closed, unless this browser alone has another text',
    async (state) => {
      const waiting = aMessage({ id: null, key: 'k1', state });
      const log = await openThread([waiting], { reply: async () => offline });
      within(log).getByText('We’ll keep trying. You can close this page.');
      await reply('Hello?');
      expect(within(log).getAllByText('Waiting to be delivered', { exact: false })).toHaveLength(2);
      expect(log.textContent).not.toContain('close this page');
    },
  );

  it('can be sent again after a refusal', async () => {
    const send = vi.fn<Api['reply']>(async () => http('payload_too_large'));
    const log = await openThread([aMessage()], { reply: send });
    await reply('Hello?');
    within(log).getByText('Not sent');
    send.mockImplementation(async (_id, key) => ({
      ok: true,
      value: aMessage({ id: 'm2', key, body: 'Hello?' }),
    }));
    fireEvent.click(within(log).getByRole('button', { name: 'Send again' }));
    await settle();
    expect(within(log).queryByText('Not sent')).toBeNull();
    expect(within(log).getAllByText('Hello?')).toHaveLength(1);
  });

  it('are retried by the server under the same key when it offers that', async () => {
    const retry = vi.fn<Api['retry']>(async () => http('rate_limited', { retryable: true }));
    const stuck = aMessage({ id: null, key: 'k1', state: 'unknown', can_retry: true });
    const log = await openThread([stuck], { retry });
    within(log).getByText(/Sending again may create a duplicate/);
    expect(log.textContent).not.toContain('close this page');
    fireEvent.click(within(log).getByRole('button', { name: 'Send again' }));
    await settle();
    expect(retry).toHaveBeenCalledWith('k1');
    within(log).getByText(/Too many messages/);
  });

  it('are not sent when empty', async () => {
    await openThread();
    await reply('  \n ');
    expect(app.models.outbox.sends.value).toEqual([]);
    expect(screen.getByRole('button', { name: 'Send reply' }).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('after a refusal while the customer was away,', () => {
  const key = 'k1';
  const refusal = { id: null, key, state: 'rejected' } as const;
  const description = () => screen.getByLabelText<HTMLTextAreaElement>('Message').value;

  it('a ticket is shown with its text and “Start a new ticket”', async () => {
    const refused = aTicket({ ...refusal, error: 'invalid_request' });
    const messages = [
      aMessage({ ...refusal, error: 'invalid_request' }),
      aMessage({ ...refusal, key: 'k2', body: 'And this', error: 'not_found' }),
    ];
    const ticket = async () => ({
      ok: true as const,
      value: aThread(messages, { ...refused, read_at: null }),
    });
    app = await showApp({ tickets: [refused], calls: { ticket } });
    expect(screen.getByRole('list').textContent).toContain('Not sent');
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    within(screen.getByRole('log')).getByText('Where is my order?');
    screen.getByRole('heading', { name: 'Not sent' });
    expect(screen.queryByRole('textbox', { name: 'Write a reply' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Start a new ticket' }));
    await settle();
    expect(description()).toBe('Where is my order?\n\nAnd this');
    expect(screen.getByLabelText<HTMLInputElement>('Subject').value).toBe('My order');
  });

  it('a ticket offers no “Start a new ticket” before its whole text is loaded', async () => {
    const refused = aTicket({ ...refusal, preview: { author_type: 'customer', text: 'Where' } });
    app = await showApp({ tickets: [refused], calls: { ticket: async () => offline } });
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    screen.getByText('This couldn’t be loaded');
    expect(screen.queryByRole('button', { name: 'Start a new ticket' })).toBeNull();
  });

  it('a reply with an invalid text can start a new ticket, and the conversation stays open', async () => {
    const bad = aMessage({ ...refusal, body: 'Too odd', error: 'invalid_request' });
    const log = await openThread([aMessage(), bad]);
    screen.getByRole('textbox', { name: 'Write a reply' });
    fireEvent.click(within(log).getByRole('button', { name: 'Start a new ticket' }));
    await settle();
    expect(description()).toBe('Too odd');
  });
});

describe('a conversation that cannot be read at the moment', () => {
  it('shows its known messages, and says that some may be missing', async () => {
    const value = aThread([aMessage()], { read_at: null });
    app = await showApp({ tickets: [aTicket()], calls: { ticket: async () => ({ ok: true, value }) } });
    expect(screen.queryByText(/late or missing/)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    within(screen.getByRole('log')).getByText('Where is my order?');
    screen.getByText(/^We can’t reach support right now/);
  });

  it('without known messages offers a retry', async () => {
    const value = aThread([], { read_at: null });
    const ticket = vi.fn<Api['ticket']>(async () => ({ ok: true, value }));
    app = await showApp({ tickets: [aTicket()], calls: { ticket } });
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    ticket.mockImplementation(async () => ({ ok: true, value: aThread() }));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    within(screen.getByRole('log')).getByText('Where is my order?');
    expect(screen.queryByText('This couldn’t be loaded')).toBeNull();
  });

  it('shows a reply that waits beside the failure', async () => {
    app = await showApp({ tickets: [aTicket()], calls: { ticket: async () => offline } });
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    await reply('Hello?');
    expect(screen.getByRole('log').textContent).toContain('Hello?');
    screen.getByText('This couldn’t be loaded');
  });
});

describe('a ticket that was merged', () => {
  it('takes no reply, and offers a new ticket with the text', async () => {
    await openThread([aMessage()], { reply: async () => http('conversation_merged') });
    await reply('Still there?');
    screen.getByRole('heading', { name: 'This ticket was merged into another' });
    expect(screen.queryByRole('textbox', { name: 'Write a reply' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Start a new ticket' }));
    await settle();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Still there?');
  });

  it('is recognized also by the server’s `closed`', async () => {
    await openThread([aMessage()], {}, true);
    expect(headings()).toContain('This ticket was merged into another');
  });

  it('is recognized by the list before it is read, so that no reply can be written', async () => {
    app = await showApp({
      tickets: [aTicket({ closed: true })],
      calls: { ticket: () => new Promise(() => {}) },
    });
    fireEvent.click(screen.getByRole('button', { name: /My order/ }));
    await settle();
    expect(headings()).toContain('This ticket was merged into another');
    expect(screen.queryByRole('textbox', { name: 'Write a reply' })).toBeNull();
  });

  it('while it is on screen replaces the composer at once, and keeps the draft', async () => {
    await openThread();
    const box = screen.getByRole('textbox', { name: 'Write a reply' });
    fireEvent.input(box, { target: { value: 'Half a sentence' } });
    await app.push({ name: 'ticket', data: aTicket({ closed: true }) });
    await settle();
    expect(headings()).toContain('This ticket was merged into another');
    expect(screen.queryByRole('textbox', { name: 'Write a reply' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Start a new ticket' }));
    await settle();
    expect(screen.getByLabelText<HTMLTextAreaElement>('Message').value).toBe('Half a sentence');
  });

  it('is distinguished from an ended session', async () => {
    await openThread([aMessage()], { reply: async () => http('unauthenticated') });
    await reply('Still there?');
    expect(headings()).toContain(
      'You can’t open this conversation in this browser anymore. Your message is saved.',
    );
    expect(headings()).not.toContain('This ticket was merged into another');
  });
});

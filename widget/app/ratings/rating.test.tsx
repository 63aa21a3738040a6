import { fireEvent, screen } from '@testing-library/preact';
import { describe, expect, it } from 'vitest';
import type { Rating } from '../../../shared/contract/ratings.ts';
import { en } from '../../../shared/i18n/en.ts';
import type { Message, Ticket } from '../../../shared/contract/tickets.ts';
import { createSite } from '../site/site.tsx';
import { aMessage, aThread, aTicket, offline, settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';
import { createRatings } from './Rating.tsx';

const sentences = { ...en.site.ratings, yes: en.site.articles.yes };
const anAnswer = (more: Partial<Message> = {}) =>
  aMessage({ id: 'a1', author_type: 'agent', body: 'Here you are', ...more });

prepareScreen();

/** A conversation on screen. `say`: what the BFF answers to a rating. */
async function showThread(
  messages: Message[] = [aMessage(), anAnswer()],
  more: Partial<Ticket> = { rating: 'ask' },
  say: () => boolean = () => true,
) {
  const ratings: { path: string; rating: Rating }[] = [];
  const thread = aThread(messages, more);
  const app = await showApp({
    site: { ...createSite({ sentences: {} }, 'en'), rating: (props) => view(props, false) },
    tickets: [aTicket(more)],
    calls: {
      ticket: async () => ({ ok: true, value: thread }),
      async ofOwner(path, _member, call) {
        ratings.push({ path, rating: call!.body as Rating });
        return say() ? { ok: true, value: null as never } : offline;
      },
    },
  });
  const view = createRatings({ sentences });
  const open = async () => {
    app.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
  };
  const back = async () => {
    app.models.view.go({ name: 'start' });
    await settle();
  };
  await open();
  const push = async (message: Message) => {
    await app.push({ name: 'message', data: { ticket_id: 't1', message } });
  };
  return { ...app, ratings, open, back, push };
}

const question = () => screen.queryByRole('group', { name: 'Did this solve it?' });
const faces = () => screen.queryAllByRole<HTMLInputElement>('radio');
async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }));
  await settle();
}
async function choose(name: string) {
  fireEvent.click(screen.getByRole('radio', { name }));
  await settle();
}

describe('below an answer', () => {
  it('the customer says that it is solved, chooses a face, adds a word, and is thanked', async () => {
    const { ratings } = await showThread();
    expect(question()).not.toBeNull();
    expect(faces()).toEqual([]);
    await press('Yes');
    expect(faces().map((face) => face.getAttribute('aria-label'))).toEqual([
      'Very bad',
      'Bad',
      'Okay',
      'Good',
      'Very good',
    ]);
    await choose('Good');
    fireEvent.input(screen.getByLabelText('Anything to add?'), { target: { value: 'Quick' } });
    await settle();
    await press('Send');
    expect(ratings).toEqual([
      { path: '/api/tickets/t1/rating', rating: { solved: true } },
      { path: '/api/tickets/t1/rating', rating: { solved: true, score: 4, word: 'Quick' } },
    ]);
    expect(document.activeElement!.textContent).toBe('Thank you.');
    expect(question()).toBeNull();
  });

  it('what "Yes" adds is in view, where the log was not at its end', async () => {
    await showThread();
    const log = screen.getByRole('log');
    log.scrollTop = -60;
    await press('Yes');
    expect(log.scrollTop).toBe(0);
  });

  it('"Not yet" is told at once, asks for no rating, and can be changed', async () => {
    const { ratings } = await showThread();
    await press('Not yet');
    expect(faces()).toEqual([]);
    expect(screen.getAllByText('Tell us below what is missing.')).toHaveLength(2);
    await press('Yes');
    expect(faces()).toHaveLength(5);
    expect(ratings.map(({ rating }) => rating)).toEqual([{ solved: false }, { solved: true }]);
  });

  it('of a ticket that support has solved, only a rating is asked for', async () => {
    const { ratings } = await showThread(undefined, { rating: 'ask', status: 'solved' });
    expect(question()).toBeNull();
    await choose('Very bad');
    await press('Send');
    expect(ratings.map(({ rating }) => rating)).toEqual([{ score: 1, word: '' }]);
  });

  it('a rating that could not be sent keeps its text, and can be sent again', async () => {
    let isOnline = false;
    const { ratings } = await showThread(undefined, undefined, () => isOnline);
    await press('Yes');
    await choose('Bad');
    fireEvent.input(screen.getByLabelText('Anything to add?'), { target: { value: 'Slow' } });
    await settle();
    await press('Send');
    expect(screen.getAllByText('Not sent')).not.toHaveLength(0);
    expect(screen.getByLabelText<HTMLTextAreaElement>('Anything to add?').value).toBe('Slow');
    isOnline = true;
    await press('Send');
    expect(screen.queryByLabelText('Anything to add?')).toBeNull();
    expect(ratings.at(-1)!.rating).toEqual({ solved: true, score: 2, word: 'Slow' });
  });

  it('a word that is too long is not sent, and the customer sees by how much', async () => {
    const { ratings } = await showThread(undefined, { rating: 'ask', status: 'closed' });
    await choose('Okay');
    fireEvent.input(screen.getByLabelText('Anything to add?'), { target: { value: 'x'.repeat(503) } });
    await settle();
    screen.getByText('3 characters too many');
    await press('Send');
    expect(ratings).toEqual([]);
  });

  it('the question takes no focus, and is announced', async () => {
    const { push } = await showThread([aMessage()]);
    const field = screen.getByRole('textbox', { name: 'Write a reply' });
    field.focus();
    await push(anAnswer());
    expect(document.activeElement).toBe(field);
    const said = screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(said).toContain('Did this solve it?');
  });
});

describe('nothing is asked', () => {
  it.each([
    ['where the operator asks for no ratings', undefined, {}],
    ['after a rating', undefined, { rating: 'done' }],
    ['about an answer that did not solve it', undefined, { rating: 'not_solved' }],
    ['before an answer', [aMessage()], { rating: 'ask' }],
    [
      'while a reply waits to be delivered',
      [aMessage(), anAnswer(), aMessage({ id: null, key: 'k', state: 'accepted', body: 'And?' })],
      { rating: 'ask' },
    ],
    ['in a conversation that is gone or merged', undefined, { rating: 'ask', closed: true }],
  ] as const)('%s', async (_, messages, more) => {
    await showThread(messages && [...messages], more);
    expect(screen.getByRole('log')).toBeTruthy();
    expect(document.querySelector('.rating')).toBeNull();
  });

  it('while the customer writes a reply', async () => {
    await showThread();
    const field = screen.getByRole('textbox', { name: 'Write a reply' });
    fireEvent.input(field, { target: { value: 'But' } });
    await settle();
    expect(document.querySelector('.rating')!.classList.contains('waits')).toBe(true);
    fireEvent.input(field, { target: { value: ' ' } });
    await settle();
    expect(document.querySelector('.rating')!.classList.contains('waits')).toBe(false);
  });

  it('again at the next visit, in this page and for an answer after a rating', async () => {
    const { open, back, push } = await showThread();
    await press('Yes');
    await back();
    await open();
    expect(question()).toBeNull();
    await push(anAnswer({ id: 'a2', created_at: '2026-11-21T11:00:00Z' }));
    expect(question()).toBeNull();
  });
});

it('after "Not yet" the customer is asked about the next answer', async () => {
  const { push, back, open } = await showThread();
  await press('Not yet');
  await back();
  await open();
  expect(question()).toBeNull();
  await push(anAnswer({ id: 'a2', created_at: '2026-11-21T11:00:00Z' }));
  expect(question()).not.toBeNull();
  screen.getByRole('button', { name: 'Not yet', pressed: false });
});

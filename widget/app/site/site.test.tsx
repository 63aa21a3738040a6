import { screen } from '@testing-library/preact';
import { expect, it, vi } from 'vitest';
import { en } from '../../../shared/i18n/en.ts';
import { aMessage, aThread, aTicket, settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';
import type * as ratingsScript from '../ratings/Rating.tsx';
import { createSite } from './site.tsx';

let attempts = 0;
let isBlocked = true;
vi.mock('../ratings/Rating.tsx', async (importOriginal) => {
  const { createRatings } = await importOriginal<typeof ratingsScript>();
  return {
    createRatings(...given: Parameters<typeof createRatings>) {
      attempts += 1;
      if (isBlocked) throw new TypeError('blocked');
      return createRatings(...given);
    },
  };
});

prepareScreen();

it('a rating whose script could not be loaded is tried again with the next view, and not before', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const rating = 'ask';
  const anAnswer = (id: string) => aMessage({ id, author_type: 'agent' });
  const thread = aThread([aMessage(), anAnswer('a1')], { rating });
  const ratings = { sentences: { ...en.site.ratings, yes: en.site.articles.yes } };
  const app = await showApp({
    site: createSite({ sentences: {}, ratings }, 'en'),
    tickets: [aTicket()],
    calls: { ticket: async () => ({ ok: true, value: thread }) },
  });
  const open = async () => {
    app.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
  };
  const question = () => screen.queryByRole('group', { name: 'Did this solve it?' });
  await open();
  await expect.poll(() => attempts).toBe(1);
  await app.push({ name: 'message', data: { ticket_id: 't1', message: anAnswer('a2') } });
  expect([attempts, question()]).toEqual([1, null]);
  isBlocked = false;
  app.models.view.go({ name: 'start' });
  await open();
  await expect.poll(question).not.toBeNull();
  expect(attempts).toBe(2);
});

it('links to pages open a new tab, those to a mail or a call do not', async () => {
  const links = [
    { label: 'Delivery', url: 'HTTPS://shop.example/delivery' },
    { label: 'Mail', url: 'mailto:help@shop.example' },
    { label: 'Call', url: 'tel:+4930123' },
  ];
  await showApp({ site: createSite({ sentences: {}, links }, 'en') });
  const targetOf = (name: string) => screen.getByRole<HTMLAnchorElement>('link', { name }).target;
  expect(links.map(({ label }) => targetOf(label))).toEqual(['_blank', '_top', '_top']);
});

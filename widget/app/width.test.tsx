import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aTicket, newStore, settle } from './testing/fakes.ts';
import { choose, menuItem, prepareScreen, showApp } from './testing/screen.tsx';

let hasMouse = true;
prepareScreen((query) => hasMouse && query === '(pointer: fine)');
beforeEach(() => vi.stubGlobal('outerWidth', 1280));
afterEach(() => {
  hasMouse = true;
});

/** A customer with a ticket. */
const show = (options: Parameters<typeof showApp>[0] = {}) =>
  showApp({ tickets: [aTicket()], isEmbedded: true, ...options });

it('the panel is made wider and narrower in the menu, and the next page knows it', async () => {
  const storage = newStore();
  const { models, end } = await show({ storage });
  expect([models.width.isWide.value, storage.names('keep:')]).toEqual([false, []]);
  await choose('Make wider');
  expect(models.width.isWide.value).toBe(true);
  end();
  const next = await show({ storage });
  expect(next.models.width.isWide.value).toBe(true);
  await choose('Make narrower');
  expect(next.models.width.isWide.value).toBe(false);
});

it('the panel of a customer who has been forgotten here has the usual width', async () => {
  const { models } = await show();
  await choose('Make wider');
  models.session.change(null);
  await settle();
  expect(models.width.isWide.value).toBe(false);
});

it('a full page, a phone and a narrow window offer no other width', async () => {
  const full = await show({ isEmbedded: false });
  expect(menuItem('Make wider')).toBeNull();
  full.end();
  hasMouse = false;
  const phone = await show();
  expect(menuItem('Make wider')).toBeNull();
  phone.end();
  hasMouse = true;
  vi.stubGlobal('outerWidth', 480);
  await show();
  expect(menuItem('Make wider')).toBeNull();
});

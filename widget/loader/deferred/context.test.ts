import { afterEach, beforeEach, expect, it } from 'vitest';
import { app, call, closePage, openPage, settle, start, tag } from '../testing/page.ts';

beforeEach(() => {
  openPage();
  document.title = 'Checkout – Acme';
});
afterEach(() => {
  closePage();
  document.title = '';
});

/** The panel, open and loaded, and what it was told last. */
async function opened(script = tag()) {
  start(script);
  call('open');
  await settle();
  const { told, say } = app();
  say({ type: 'ready' });
  await settle();
  return { say, told: () => told.at(-1) };
}

it('the panel is told the page’s title, and what the page says, also before it loads', async () => {
  window.Deskside = Object.assign((): undefined => {}, { q: [['context', { plan: 'Pro' }]] });
  const { told } = await opened();
  expect(told()).toEqual({ page_title: 'Checkout – Acme', attributes: { plan: 'Pro' } });
});

it('a later call replaces what the page said, and null clears it', async () => {
  const { told } = await opened();
  const given = { order: 4711 };
  call('context', { plan: 'Pro' });
  call('context', given);
  given.order = 1;
  expect(told()).toMatchObject({ attributes: { order: 4711 } });
  call('context', null);
  expect(told()).toEqual({ page_title: 'Checkout – Acme', attributes: {} });
});

it('a sign-out clears what the page said, for the next customer', async () => {
  const { told } = await opened();
  call('context', { plan: 'Pro' });
  call('logout');
  expect(told()).toEqual({ page_title: 'Checkout – Acme', attributes: {} });
});

it('a title that has changed is told when the panel opens again', async () => {
  const { told } = await opened();
  call('close');
  document.title = 'Help – Acme';
  call('open');
  expect(told()).toMatchObject({ page_title: 'Help – Acme' });
});

it('no title is told where the site does not want it', async () => {
  const { told } = await opened(tag({ pageTitle: 'false' }));
  expect(told()).toEqual({ page_title: undefined, attributes: {} });
});

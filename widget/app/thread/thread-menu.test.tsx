import { fireEvent, screen } from '@testing-library/preact';
import { describe, expect, it, vi } from 'vitest';
import { aMessage, aThread, aTicket, settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';

let app: Awaited<ReturnType<typeof showApp>>;
prepareScreen((query) => query === '(pointer: fine)');

async function openThread(status = 'open', settings = {}) {
  const ticket = async () => ({ ok: true as const, value: aThread([aMessage()], { status }) });
  app = await showApp({ settings, tickets: [aTicket({ status })], calls: { ticket } });
  fireEvent.click(screen.getByRole('button', { name: /My order/ }));
  await settle();
}
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Write a reply' });
async function pressIn(key: object) {
  fireEvent.input(box(), { target: { value: 'Hello' } });
  await settle();
  fireEvent.keyDown(box(), key);
  await settle();
  return app.models.outbox.sends.value.length;
}

describe('the menu of a conversation', () => {
  it('offers its number, its text and print', async () => {
    await openThread();
    screen.getByRole('button', { name: 'More options' });
    const menu = document.getElementById('thread-menu')!;
    expect([...menu.querySelectorAll('button')].map((button) => button.textContent)).toEqual([
      'Copy ticket number',
      'Download conversation',
      'Print',
    ]);
  });
});

it('a solved conversation says that the customer can write again', async () => {
  await openThread();
  expect(screen.queryByText('You can write here again any time.')).toBeNull();
  app.end();
  await openThread('solved');
  screen.getByText('You can write here again any time.');
  box();
});

describe('Enter in a reply', () => {
  it('sends it where there is a keyboard', async () => {
    await openThread();
    expect(await pressIn({ key: 'Enter' })).toBe(1);
  });

  it.each([
    ['with Shift', { key: 'Enter', shiftKey: true }],
    ['while a word is being composed', { key: 'Enter', isComposing: true, keyCode: 229 }],
    ['that ends a composition in Safari', { key: 'Enter', keyCode: 229 }],
  ])('%s does not send it', async (_, key) => {
    await openThread();
    expect(await pressIn(key)).toBe(0);
  });

  it('breaks the line where the site wants that; with Ctrl it sends', async () => {
    await openThread('open', { enter: 'newline' });
    expect(await pressIn({ key: 'Enter' })).toBe(0);
    expect(await pressIn({ key: 'Enter', ctrlKey: true })).toBe(1);
  });

  it('breaks the line on a touch screen', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }));
    await openThread();
    expect(await pressIn({ key: 'Enter' })).toBe(0);
  });
});

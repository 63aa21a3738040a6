import { fireEvent, render, screen } from '@testing-library/preact';
import type { ComponentChild } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FrameSettings } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import type { App } from '../app.ts';
import type { Host } from '../host.ts';
import { createWords } from '../i18n/words.ts';
import { en } from '../../../shared/i18n/en.ts';
import { createNotify } from './notify.tsx';
import { effect, signal } from '@preact/signals';
import { aSession, aTicket, fakeModels, newStore, settle } from '../testing/fakes.ts';

const answered = aTicket({ unread: 1, preview: { author_type: 'agent', text: 'It is on its way' } });

/** Reports a height as a resize observer does, when a test calls it. */
let resize: (height: number) => void;
beforeEach(() => {
  Object.assign(navigator, { userActivation: { hasBeenActive: false } });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(onResize: (entries: { borderBoxSize: { blockSize: number }[] }[]) => void) {
        resize = (height) => onResize([{ borderBoxSize: [{ blockSize: height }] }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

/** A returning customer behind a closed panel, who has just been answered. */
async function answer(settings: Partial<FrameSettings> = {}, calls: Partial<Api> = {}) {
  const overlay = signal<ComponentChild>(null);
  const told: unknown[] = [];
  const host: Pick<Host, 'open' | 'preview'> = {
    open: () => told.push('open'),
    preview: (height) => told.push(height),
  };
  const storage = newStore();
  storage.write('used', true);
  const fake = fakeModels({
    storage,
    isEmbedded: true,
    calls,
    onArrival: (ticket) => notify.arrive(ticket),
  });
  const { models, clock } = fake;
  const app = { ...models, ...createWords(en, 'en'), settings: signal(settings), overlay } as unknown as App;
  const notify = createNotify(app, host);
  const stage = document.createElement('div');
  document.body.replaceChildren(stage);
  effect(() => void render(<div>{overlay.value}</div>, { container: stage }));
  await fake.push({ name: 'sync', data: { session: aSession(), tickets: [aTicket()], thread: null } });
  await fake.push({ name: 'ticket', data: answered });
  await clock.advance(1_000);
  return { ...fake, told };
}

const preview = () => screen.queryByRole('region', { name: 'Support' });

describe('the preview', () => {
  it('reports the height that it needs, then 0', async () => {
    const { told, push } = await answer();
    expect(preview()!.textContent).toContain('It is on its way');
    resize(97.4);
    expect(told).toEqual([expect.any(Number), 98]);
    expect(told[0]).toBeGreaterThan(0);
    // Read in another tab.
    await push({ name: 'ticket', data: { ...answered, unread: 0 } });
    expect(preview()).toBeNull();
    expect(told.at(-1)).toBe(0);
  });

  it('opens its conversation', async () => {
    const { models, told } = await answer();
    fireEvent.click(screen.getByRole('button', { name: /It is on its way/ }));
    expect(told).toContain('open');
    expect(models.view.current.value).toEqual({ name: 'thread', ref: 't1' });
    models.isOpen.value = true;
    await settle();
    expect(preview()).toBeNull();
  });

  it('has the brand’s name, as in the list and in the conversation', async () => {
    await answer({ brand: 'Acme' });
    expect(screen.getByRole('region', { name: 'Acme' }).querySelector('b')!.textContent).toBe('Acme');
  });

  it('is closed by its button or by Escape, and shows the next answer', async () => {
    const { push, clock } = await answer();
    fireEvent.keyDown(screen.getByRole('button', { name: 'Close' }), { key: 'Escape' });
    await settle();
    expect(preview()).toBeNull();
    await push({ name: 'ticket', data: { ...answered, unread: 2 } });
    await clock.advance(1_000);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await settle();
    expect(preview()).toBeNull();
  });

  it('is not shown after the customer has turned previews off', async () => {
    const { push, clock, storage } = await answer();
    fireEvent.click(screen.getByRole('button', { name: 'Don’t show again' }));
    await settle();
    expect(preview()).toBeNull();
    await push({ name: 'ticket', data: { ...answered, unread: 2 } });
    await clock.advance(1_000);
    expect(preview()).toBeNull();
    expect(storage.read('keep:preview')).toBe(false);
  });

  it('stays turned off after signing out', async () => {
    const { models, storage } = await answer({}, { signOut: async () => ({ ok: true, value: null }) });
    fireEvent.click(screen.getByRole('button', { name: 'Don’t show again' }));
    await models.customer.signOut();
    expect(storage.names('')).toContain('keep:preview');
    expect(storage.read('keep:preview')).toBe(false);
  });

  it('ends when the customer signs out in another tab', async () => {
    const { models, storage } = await answer();
    storage.write('used', false);
    models.onOtherTab();
    await settle();
    expect(preview()).toBeNull();
  });
});

describe('old answers', () => {
  it('that are unread when the page loads show only on the badge', async () => {
    const onArrival = vi.fn<() => void>();
    const storage = newStore();
    storage.write('used', true);
    const { models, push } = fakeModels({ storage, isEmbedded: true, onArrival });
    await push({ name: 'sync', data: { session: aSession(), tickets: [answered], thread: null } });
    expect(models.unread.value).toBe(1);
    expect(onArrival).not.toHaveBeenCalled();
  });
});

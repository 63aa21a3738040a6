import { describe, expect, it, vi } from 'vitest';
import type { Api } from './api/client.ts';
import { createCore } from './core.ts';
import { createSupport } from './support.ts';
import { aSession, aTicket, coreOptions, fakeApi, newStore, offline, settle } from './testing/fakes.ts';

const signedIn = {
  ...aSession(),
  customer: { email: 'ana@example.com', name: 'Ana', verified: true, owner: 'ana' },
};

/** The first script alone; `join` brings the second. */
function firstScript(calls: Partial<Api> = {}, more: Partial<Parameters<typeof coreOptions>[0]> = {}) {
  const { api } = fakeApi(calls);
  const options = coreOptions({ api, ...more });
  const core = createCore(options);
  return { core, join: () => createSupport(core, options).start() };
}

function submit(core: ReturnType<typeof createCore>) {
  core.newTicket.set('customer_email', 'ana@example.com');
  core.newTicket.set('description', 'Where is it?');
  core.submitTicket();
}

describe('the first script without the second', () => {
  it('sends a ticket, and its answer is shown once the second is loaded', async () => {
    const createTicket = vi.fn<Api['createTicket']>(async (key) => ({ ok: true, value: aTicket({ key }) }));
    const { core, join } = firstScript({ createTicket });
    submit(core);
    await settle();
    expect(createTicket).toHaveBeenCalledOnce();
    expect(core.session.isUsed.peek()).toBe(false);
    join();
    await settle();
    expect(core.session.isUsed.peek()).toBe(true);
    expect(createTicket).toHaveBeenCalledOnce();
  });

  it('keeps a refused text until the second puts it back into the form', async () => {
    const createTicket = vi.fn<Api['createTicket']>(async () => ({
      ok: false,
      error: { ...offline.error, kind: 'http', code: 'invalid_request', retryable: false },
    }));
    const { core, join } = firstScript({ createTicket });
    submit(core);
    await settle();
    expect(core.outbox.sends.peek()).toMatchObject([{ state: 'rejected' }]);
    join();
    await settle();
    expect(core.newTicket.fields.peek().description).toBe('Where is it?');
    expect(core.newTicket.failure.peek()).toBe('invalid_request');
  });

  it('sends nothing until the page has identified its customer, and then uses their session', async () => {
    const createTicket = vi.fn<Api['createTicket']>(async (key) => ({ ok: true, value: aTicket({ key }) }));
    const identify = vi.fn<Api['identify']>(async () => ({ ok: true, value: signedIn }));
    const { core, join } = firstScript({ createTicket, identify }, { isExpected: true });
    submit(core);
    await settle();
    expect(createTicket).not.toHaveBeenCalled();
    core.whenJoined(({ customer }) => void customer.identity.identify('token'));
    join();
    await settle();
    expect(identify).toHaveBeenCalledOnce();
    expect(core.session.owner.peek()).toBe('ana');
    expect(createTicket).toHaveBeenCalledOnce();
  });

  it('shows nothing of the former customer while the page identifies another', () => {
    const storage = newStore();
    storage.write('used', true);
    storage.write('owner', 'ana');
    const { core } = firstScript({}, { storage });
    expect(core.session.isWaiting.peek()).toBe(false);
    core.session.isPending.value = true;
    expect(core.session.isWaiting.peek()).toBe(true);
  });
});

import { expect, it } from 'vitest';
import type { Api } from '../api/client.ts';
import { fakeApi, fakeStorage, http, newStore, offline } from '../testing/fakes.ts';
import type { LiveStatus } from './connection.ts';
import { diagnose } from './diagnose.ts';
import { signal } from '@preact/signals';

const at = (session: Partial<Api>, status: LiveStatus, storage = newStore()) =>
  diagnose({ api: fakeApi(session).api, storage, live: { status: signal(status) } });

it('the self-check reports what works', async () => {
  const storage = newStore();
  expect(await at({}, 'stream', storage)).toEqual({ storage: true, api: 'ok', live: 'stream' });
  expect(storage.names('')).toEqual([]);
});

it.each([
  [offline, 'unreachable'],
  [http('forbidden_origin'), 'forbidden_origin'],
])('the self-check reports what does not work', async (answer, api) => {
  const full = newStore(fakeStorage({ room: 0 }));
  const found = await at({ session: async () => answer }, 'late', full);
  expect(found).toEqual({ storage: false, api, live: 'off' });
});

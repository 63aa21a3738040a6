import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../open.ts';
import { openTestStore } from '../../../testing/store/test-store.ts';
import { createScripts } from './scripts.ts';

const dayMs = 86_400_000;
let store: Store;
let now: number;
beforeEach(async () => {
  store = await openTestStore();
  now = Date.UTC(2026, 0, 1);
});
afterEach(() => store.destroy());

/** Every byte value, because a conversion to text would change some. */
const allBytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const text = new TextEncoder().encode('account()');
const script = {
  bodies: new Map([
    ['identity', text],
    ['br', allBytes],
  ]),
};
const build = (...names: string[]) =>
  createScripts({ store, own: new Map(names.map((name) => [name, script])), now: () => now });
const known = async () =>
  (await store.selectFrom('scripts').select('name').orderBy('name').execute()).map(({ name }) => name);

describe('scripts of all builds', () => {
  it('are returned byte by byte in every coding, for any instance', async () => {
    await build('old').keep();
    const found = await build('new').find('old');
    expect(found).toEqual(script.bodies);
    expect(await build('new').find('never')).toBeNull();
  });

  it('are written once for each name, however often and by however many instances they are kept', async () => {
    await build('a', 'b').keep();
    const writes = async () =>
      (
        await store
          .selectFrom('script_bodies')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .execute()
      )[0];
    const before = await writes();
    await build('a', 'b').keep();
    await build('b').keep();
    expect(await writes()).toEqual(before);
    expect(before).toEqual({ count: 4 });
  });

  it('are deleted 30 days after the last instance that had them was known to run', async () => {
    const old = build('old', 'shared');
    await old.keep();
    now += 10 * dayMs;
    await old.keep();
    const next = build('shared', 'new');
    await next.keep();
    now += 30 * dayMs - 1;
    await next.keep();
    expect(await known()).toEqual(['new', 'old', 'shared']);
    now += 1;
    await next.keep();
    expect(await known()).toEqual(['new', 'shared']);
    expect(await next.find('old')).toBeNull();
  });

  it('of a build without any are none', async () => {
    await build().keep();
    expect(await known()).toEqual([]);
  });
});

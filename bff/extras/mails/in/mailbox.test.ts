import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../core/store/open.ts';
import { openTestStore } from '../../../testing/store/test-store.ts';
import { createMailbox } from './mailbox.ts';
import { readImapAddress } from './imap-address.ts';

const address = readImapAddress('imaps://support:secret@mail.shop.test/INBOX')!;
let at: number;
let store: Store;

beforeEach(async () => {
  at = 1_700_000_000_000;
  store = await openTestStore();
});
afterEach(() => store.destroy());

const open = (of = address) => createMailbox({ store, now: () => at }, of);

describe('the lease of a mailbox', () => {
  it('is with the first of two processes, until it leaves', async () => {
    const [first, second] = [open(), open()];
    expect([await first.mayRead(), await second.mayRead(), await first.mayRead()]).toEqual([
      true,
      false,
      true,
    ]);
    await second.leave();
    expect(await second.mayRead()).toBe(false);
    await first.leave();
    expect([await second.mayRead(), await first.mayRead()]).toEqual([true, false]);
  });

  it('passes on when its holder has not renewed it, or the clock was set back', async () => {
    const [first, second] = [open(), open()];
    await first.mayRead();
    at += 44_000;
    expect(await second.mayRead()).toBe(false);
    at += 1_000;
    expect(await second.mayRead()).toBe(true);
    at -= 3_600_000;
    expect(await first.mayRead()).toBe(true);
  });

  it('ends with the process when no other one uses the store', async () => {
    await open().mayRead();
    const second = open();
    await second.release();
    expect(await second.mayRead()).toBe(true);
  });

  it('is another one for each folder, user and server', async () => {
    await open().mayRead();
    const others = [{ folder: ['Support'] }, { user: 'sales' }, { host: 'mail.other.test' }];
    for (const other of others) expect(await open({ ...address, ...other }).mayRead()).toBe(true);
    expect(await open({ ...address, password: 'new' }).mayRead()).toBe(false);
  });
});

it('the position of a mailbox is that of its first reading, until one is written', async () => {
  const mailbox = open();
  await mailbox.mayRead();
  at += 60_000;
  await open().mayRead();
  expect(await mailbox.position.read()).toEqual({ uidValidity: null, lastUid: 0, since: at - 60_000 });
  const position = { uidValidity: '1795823838', lastUid: 4_294_967_295, since: at };
  await mailbox.position.write(position);
  expect(await open().position.read()).toEqual(position);
});

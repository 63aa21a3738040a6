import { expect, it } from 'vitest';
import { fakeClock, fakeStorage, newStore } from '../testing/fakes.ts';
import { createDrafts } from './drafts.ts';

it('a draft that did not fit into storage is stored when there is space', () => {
  const raw = fakeStorage({ room: 120 });
  const storage = newStore(raw);
  storage.write('send:key-1', 'A'.repeat(60));
  const drafts = createDrafts(storage, fakeClock(), null);
  drafts.reply('t1');
  drafts.write('t1', 'B'.repeat(60));
  drafts.flush();
  expect(Object.keys(raw)).toEqual(['deskside:v1:send:key-1']);
  storage.remove('send:key-1');
  drafts.flush();
  expect(Object.keys(raw)).toEqual(['deskside:v1:draft:t1']);
});

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

it('a draft that another tab has changed is shown, but not in place of what is not stored yet', () => {
  const storage = newStore();
  const drafts = createDrafts(storage, fakeClock(), null);
  const [first, second] = [drafts.reply('t1'), drafts.reply('t2')];
  drafts.write('t2', 'Written here');
  for (const name of ['draft:t1', 'draft:t2']) storage.write(name, 'Written there');
  drafts.refresh();
  expect([first.value, second.value]).toEqual(['Written there', 'Written here']);
});

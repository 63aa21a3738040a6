import { describe, expect, it, vi } from 'vitest';
import type { Api } from '../api/client.ts';
import { failure } from '../api/result.ts';
import { ana, ok } from '../testing/customers.ts';
import { aMessage, aSession, aTicket, fakeModels, http, newStore, offline } from '../testing/fakes.ts';
import { returning } from '../testing/steps.ts';
import { aFile, cut, everything, fakeUpload, filesOf, keptBlobs, newBlobs } from './test-files.ts';

type Fake = ReturnType<typeof fakeModels>;

const taken = () => vi.fn<Api['createTicket']>((key) => ok(aTicket({ id: null, key, state: 'accepted' })));

function submit({ models: { newTicket, sending } }: Fake) {
  newTicket.set('customer_email', 'ana@example.com');
  newTicket.set('description', 'It is broken');
  sending.submitTicket();
}

/** States of the files in the draft of the form. */
const draft = ({ models }: Fake, { statuses }: ReturnType<typeof filesOf>) =>
  models.drafts.files('new').value.map(({ key, name }) => `${name}: ${statuses.value[key]?.state}`);

describe('a file', () => {
  it('is uploaded when it is attached, under a key of its own, and is sent with its message only', async () => {
    const createTicket = taken();
    const fake = fakeModels({ calls: { createTicket } });
    const { upload, seen } = fakeUpload();
    const files = filesOf(fake.models, { upload });
    files.add('new', [aFile('a.txt'), aFile('b.txt')]);
    await everything();
    expect(draft(fake, files)).toEqual(['a.txt: done', 'b.txt: done']);
    expect(new Set(seen.map((each) => each.upload)).size).toBe(2);
    expect(createTicket).not.toHaveBeenCalled();
    submit(fake);
    await everything();
    expect(createTicket).toHaveBeenCalledOnce();
    expect(createTicket.mock.calls[0]![1].files).toEqual(seen.map((each) => `id-${each.upload}`));
    expect(fake.models.drafts.files('new').value).toEqual([]);
    expect(seen.length).toBe(2);
  });

  it('that is removed is not sent, and its upload ends', async () => {
    const createTicket = taken();
    const fake = fakeModels({ calls: { createTicket } });
    const signals: AbortSignal[] = [];
    const blobs = keptBlobs();
    const files = filesOf(fake.models, {
      blobs,
      upload: (_api, _file, signal) => {
        signals.push(signal);
        return new Promise<never>(() => {});
      },
    });
    files.add('new', [aFile()]);
    await everything();
    const { key } = fake.models.drafts.files('new').value[0]!;
    files.remove(key);
    await everything();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await blobs.read(key)).toBeUndefined();
    submit(fake);
    await everything();
    expect(createTicket.mock.calls[0]![1]).not.toHaveProperty('files');
  });

  it.each([
    ['larger than the limit', aFile('big.txt', 'x'.repeat(1_001)), 'tooLarge'],
    ['without content', aFile('empty.txt', ''), 'unreadable'],
    [
      'that cannot be read, as a folder',
      Object.assign(aFile('folder', 'x', ''), { arrayBuffer: () => Promise.reject(new Error('gone')) }),
      'unreadable',
    ],
  ] as const)('%s is not attached, and the customer is told why', async (_what, file, about) => {
    const fake = fakeModels();
    const { upload, seen } = fakeUpload();
    const files = filesOf(fake.models, { upload });
    files.add('new', [file]);
    await everything();
    expect(files.remarks.value).toEqual([{ about, name: file.name }]);
    expect(draft(fake, files)).toEqual([]);
    expect(seen).toEqual([]);
  });

  it('beyond the number that a message can have is not attached', async () => {
    const fake = fakeModels();
    const files = filesOf(fake.models);
    files.add(
      'new',
      ['1', '2', '3', '4'].map((name) => aFile(name)),
    );
    await everything();
    expect(draft(fake, files).length).toBe(3);
    expect(files.remarks.value).toEqual([{ about: 'tooMany', name: '4' }]);
  });

  it('is uploaded whatever kind the browser says, which Windows names in its own way', async () => {
    const fake = fakeModels();
    const files = filesOf(fake.models);
    files.add('new', [aFile('logs.zip', 'x', 'application/x-zip-compressed')]);
    await everything();
    expect(draft(fake, files)).toEqual(['logs.zip: done']);
  });

  it('whose name could turn the text around it has a harmless one', async () => {
    const fake = fakeModels();
    const files = filesOf(fake.models);
    files.add('new', [aFile('photo\u202Egnp.exe\u0007.txt')]);
    await everything();
    expect(draft(fake, files)).toEqual(['photognp.exe.txt: done']);
  });

  it('is tried again under the same key when the network fails, at once when it is back', async () => {
    const fake = fakeModels();
    let isDown = true;
    const { upload, seen } = fakeUpload(() => (isDown ? cut : null));
    const files = filesOf(fake.models, { upload });
    files.add('new', [aFile()]);
    await everything();
    expect(Object.values(files.statuses.value)).toMatchObject([{ state: 'waiting', reason: 'network' }]);
    isDown = false;
    fake.models.setOnline(false);
    fake.models.setOnline(true);
    await everything();
    expect(draft(fake, files)).toEqual(['note.txt: done']);
    expect(new Set(seen.map((each) => each.upload)).size).toBe(1);
  });

  it('waits as long as the BFF asks', async () => {
    const fake = fakeModels();
    let isBusy = true;
    const { upload, seen } = fakeUpload(() =>
      isBusy ? http('rate_limited', { retryable: true, retryAfterSec: 60 }) : null,
    );
    const files = filesOf(fake.models, { upload });
    files.add('new', [aFile()]);
    await everything();
    isBusy = false;
    await fake.clock.advance(59_000);
    await everything();
    expect(seen.length).toBe(1);
    await fake.clock.advance(1_000);
    await everything();
    expect(draft(fake, files)).toEqual(['note.txt: done']);
  });
});

it('at most two files are uploaded at once, and the first one of a visitor alone, since it begins a session', async () => {
  const fake = fakeModels();
  const finish: ((_: unknown) => void)[] = [];
  const { upload, seen } = fakeUpload(() => new Promise((resolve) => finish.push(resolve as never)));
  filesOf(fake.models, { upload }).add('new', [aFile('1'), aFile('2'), aFile('3')]);
  await everything();
  expect(seen.map(({ name }) => name)).toEqual(['1']);
  finish[0]!(null);
  await everything();
  expect(seen.map(({ name }) => name)).toEqual(['1', '2', '3']);
  finish[1]!(null);
  await everything();
  expect(finish.length).toBe(3);
});

describe('a message sent while its files are uploaded', () => {
  it('waits for them, keeps its key, and is sent once', async () => {
    const createTicket = taken();
    const fake = fakeModels({ calls: { createTicket } });
    let finish = (_: unknown) => {};
    const { upload } = fakeUpload(() => new Promise((resolve) => (finish = resolve as never)));
    const files = filesOf(fake.models, { upload });
    files.add('new', [aFile()]);
    submit(fake);
    await everything();
    const [send] = fake.models.outbox.sends.value;
    expect(fake.models.messages.value).toMatchObject([
      { body: 'It is broken', waits: true, files: [{ name: 'note.txt' }] },
    ]);
    fake.models.outbox.wake();
    await everything();
    expect(createTicket).not.toHaveBeenCalled();
    finish(null);
    await everything();
    expect(createTicket.mock.calls.map(([key]) => key)).toEqual([send!.key]);
    expect(createTicket.mock.calls[0]![1].files?.length).toBe(1);
  });

  it('does not let a later reply overtake it', async () => {
    const reply = vi.fn<Api['reply']>(() => ok(aMessage()));
    const fake = await returning({ calls: { reply } });
    let finish = (_: unknown) => {};
    const { upload } = fakeUpload(() => new Promise((resolve) => (finish = resolve as never)));
    const files = filesOf(fake.models, { upload });
    const { view, drafts, sending } = fake.models;
    view.go({ name: 'thread', ref: 't1' });
    files.open('t1');
    files.add('t1', [aFile()]);
    // A reply that is only a file.
    drafts.reply('t1');
    sending.submitReply();
    drafts.write('t1', 'Second');
    sending.submitReply();
    await everything();
    expect(reply).not.toHaveBeenCalled();
    finish(null);
    await everything();
    expect(reply.mock.calls.map(([, , { body, files: ids }]) => [body, ids?.length])).toEqual([
      ['', 1],
      ['Second', undefined],
    ]);
  });

  it('goes on without a file that is refused, once the customer removes it', async () => {
    const createTicket = taken();
    const fake = fakeModels({ calls: { createTicket } });
    const { upload } = fakeUpload((name) => (name === 'bad.txt' ? http('unsupported_media_type') : null));
    const files = filesOf(fake.models, { upload });
    files.add('new', [aFile('good.txt'), aFile('bad.txt')]);
    submit(fake);
    await everything();
    const sent = fake.models.outbox.sends.value[0]!;
    expect(sent.files!.map(({ key }) => files.statuses.value[key]!.state)).toEqual(['done', 'failed']);
    expect(createTicket).not.toHaveBeenCalled();
    files.remove(sent.files![1]!.key);
    await everything();
    expect(createTicket.mock.calls[0]![1].files?.length).toBe(1);
  });

  it('that has no text is gone with its only file', async () => {
    const fake = await returning();
    const { upload } = fakeUpload(() => http('unsupported_media_type'));
    const files = filesOf(fake.models, { upload });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    files.open('t1');
    files.add('t1', [aFile()]);
    fake.models.drafts.reply('t1');
    fake.models.sending.submitReply();
    await everything();
    files.remove(fake.models.outbox.sends.value[0]!.files![0]!.key);
    expect(fake.models.outbox.sends.value).toEqual([]);
  });

  it('whose ids the BFF does not know any more uploads its files again, once', async () => {
    const refused = failure('http', {
      code: 'invalid_request',
      retryable: false,
      fields: { files: 'invalid' },
    });
    const createTicket = vi.fn<Api['createTicket']>(async () => refused);
    const fake = fakeModels({ calls: { createTicket } });
    const { upload, seen } = fakeUpload();
    filesOf(fake.models, { upload }).add('new', [aFile()]);
    submit(fake);
    await everything();
    expect(seen.length).toBe(2);
    expect(new Set(seen.map((each) => each.upload)).size).toBe(2);
    expect(createTicket.mock.calls.map(([key]) => key)).toHaveLength(2);
    expect(new Set(createTicket.mock.calls.map(([key]) => key)).size).toBe(1);
    expect(new Set(createTicket.mock.calls.map(([, { files }]) => files![0])).size).toBe(2);
    // Refused again: text and file are back in the form.
    expect(fake.models.newTicket.fields.value.description).toBe('It is broken');
    expect(fake.models.drafts.files('new').value).toMatchObject([{ name: 'note.txt' }]);
  });
});

describe('after a reload', () => {
  it('a draft has its files, which are uploaded under the same keys', async () => {
    const storage = newStore();
    const blobs = keptBlobs();
    const first = fakeUpload(() => new Promise<never>(() => {}));
    const before = fakeModels({ storage });
    filesOf(before.models, { upload: first.upload, blobs }).add('new', [aFile()]);
    await everything();
    before.models.leave();
    const after = fakeModels({ storage, newKey: () => 'other' });
    const { upload, seen } = fakeUpload();
    const files = filesOf(after.models, { upload, blobs });
    await everything();
    expect(draft(after, files)).toEqual(['note.txt: done']);
    expect(seen).toEqual(first.seen);
  });

  it('a message that waits goes on, and is sent under its key', async () => {
    const storage = newStore();
    const blobs = keptBlobs();
    const before = fakeModels({ storage });
    const cutOff = fakeUpload(() => new Promise<never>(() => {}));
    filesOf(before.models, { blobs, upload: cutOff.upload }).add('new', [aFile()]);
    submit(before);
    await everything();
    const { key } = before.models.outbox.sends.value[0]!;
    const createTicket = taken();
    const after = fakeModels({ storage, calls: { createTicket }, newKey: () => 'other' });
    filesOf(after.models, { blobs });
    await everything();
    expect(createTicket.mock.calls.map(([sentKey]) => sentKey)).toEqual([key]);
  });

  it('files that could not be stored are gone from the draft; a message that waits for one says so', async () => {
    const storage = newStore();
    const before = fakeModels({ storage });
    const cutOff = fakeUpload(() => new Promise<never>(() => {}));
    const files = filesOf(before.models, { blobs: newBlobs(), upload: cutOff.upload });
    files.add('new', [aFile()]);
    await everything();
    expect(files.unkept.value.size).toBe(1);
    submit(before);
    files.add('new', [aFile('draft.txt')]);
    await everything();
    before.models.leave();
    const after = fakeModels({ storage });
    const { statuses } = filesOf(after.models, { blobs: newBlobs() });
    await everything();
    expect(after.models.drafts.files('new').value).toEqual([]);
    const [send] = after.models.outbox.sends.value;
    expect(statuses.value[send!.files![0]!.key]).toMatchObject({ state: 'failed', reason: 'lost' });
  });

  it('contents that no draft and no message names are removed', async () => {
    const blobs = keptBlobs();
    await blobs.write({ key: 'old', bytes: new ArrayBuffer(1), picture: '', name: 'x', at: 0, upload: 'k' });
    const fake = fakeModels();
    filesOf(fake.models, { blobs });
    await fake.clock.advance(5_000);
    await everything();
    expect(await blobs.read('old')).toBeUndefined();
  });
});

it('a file that another tab has uploaded is not uploaded again', async () => {
  const storage = newStore();
  const blobs = keptBlobs();
  const { upload, seen } = fakeUpload();
  const first = fakeModels({ storage });
  filesOf(first.models, { upload, blobs }).add('new', [aFile()]);
  await everything();
  first.models.drafts.flush();
  const second = fakeModels({ storage });
  const files = filesOf(second.models, { upload, blobs });
  await everything();
  expect(draft(second, files)).toEqual(['note.txt: done']);
  expect(seen.length).toBe(1);
});

describe('the files of a customer', () => {
  const signOut = () => ok(null);

  it('are neither shown nor uploaded for the next one, and are there when they come back', async () => {
    const blobs = keptBlobs();
    const storage = newStore();
    const fake = await returning({ storage, calls: { signOut } });
    await fake.push({ name: 'sync', data: { session: ana, tickets: [], thread: null } });
    const { upload, seen } = fakeUpload();
    const files = filesOf(fake.models, { upload, blobs });
    files.add('new', [aFile('secret.txt')]);
    await everything();
    expect(seen).toMatchObject([{ owner: ana.customer!.owner }]);
    const bob = { ...ana, customer: { ...ana.customer!, owner: 'bob' } };
    await fake.push({ name: 'sync', data: { session: bob, tickets: [], thread: null } });
    await everything();
    expect([draft(fake, files), fake.models.outbox.urls.value, seen.length]).toEqual([[], {}, 1]);
    await fake.push({ name: 'sync', data: { session: ana, tickets: [], thread: null } });
    await everything();
    expect(draft(fake, files)).toEqual(['secret.txt: done']);
  });

  it('are removed from this browser when they sign out', async () => {
    const blobs = keptBlobs();
    const fake = await returning({ calls: { signOut } });
    await fake.push({ name: 'sync', data: { session: ana, tickets: [], thread: null } });
    const files = filesOf(fake.models, { blobs });
    files.add('new', [aFile('secret.txt')]);
    await everything();
    const { key } = fake.models.drafts.files('new').value[0]!;
    expect(await blobs.read(key)).toBeDefined();
    await fake.models.customer.signOut();
    await everything();
    expect(await blobs.read(key)).toBeUndefined();
  });

  it('written before the sign-in are uploaded again under the session of who they belong to', async () => {
    const fake = fakeModels({ calls: { identify: () => ok(ana), session: () => ok(aSession(false)) } });
    const { upload, seen } = fakeUpload();
    const files = filesOf(fake.models, { upload });
    files.add('new', [aFile()]);
    await everything();
    void fake.models.customer.identity.identify('token');
    await everything();
    expect(draft(fake, files)).toEqual(['note.txt: done']);
    expect(seen.map(({ owner }) => owner)).toEqual([null, ana.customer!.owner]);
    expect(seen[0]!.upload).not.toBe(seen[1]!.upload);
  });
});

it('a conversation that takes no more replies moves the files of its texts to the form', async () => {
  const fake = await returning({ calls: { reply: async () => offline } });
  const { view, drafts, sending } = fake.models;
  const { upload } = fakeUpload(() => new Promise<never>(() => {}));
  const files = filesOf(fake.models, { upload });
  view.go({ name: 'thread', ref: 't1' });
  files.open('t1');
  files.add('t1', [aFile('sent.txt')]);
  drafts.reply('t1');
  sending.submitReply();
  files.add('t1', [aFile('draft.txt')]);
  await everything();
  sending.startOver();
  await everything();
  expect(drafts.files('new').value.map(({ name }) => name)).toEqual(['sent.txt', 'draft.txt']);
  expect(fake.models.outbox.sends.value).toEqual([]);
});

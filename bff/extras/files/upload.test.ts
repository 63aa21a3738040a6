import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
  mkdirSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ownerHeader } from '../../../shared/contract/paths.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { createFolderStore } from './folder-store.ts';
import { factsIn } from './testing/exif.ts';
import { attach, fileValues, pngOf, sample, upload } from './testing/upload.ts';

let bff: TestBff;
let browser: TestBrowser;
const start = async (values: object = {}) => {
  bff = await startBff({ values: { ...fileValues, ...values } });
  browser = bff.browser();
};
beforeEach(() => start());
afterEach(() => bff.stop());

const folder = () => join(bff.config.dataDir, 'files');
const rows = () => bff.store.selectFrom('files').selectAll().orderBy('id').execute();
/** What the store has, by id. */
const kept = () => Readable.from(createFolderStore(folder()).list!()).toArray();
const left = () => (existsSync(join(folder(), 'tmp')) ? readdirSync(join(folder(), 'tmp')) : []);
const bytesOf = (id: string) => readFileSync(join(folder(), id.slice(-2), id));

describe('an upload', () => {
  it('whose session has ended or is another customer’s is refused, and no session takes its place', async () => {
    await browser.openTicket();
    const { cookie } = browser;
    const anothers = { [ownerHeader]: 'another customer' };
    const text = Buffer.from('Total: 12');
    const refused = [await upload(bff, browser, text, { name: 'a.txt', headers: anothers })];
    await bff.store.deleteFrom('sessions').execute();
    refused.push(await upload(bff, browser, text, { name: 'a.txt' }));
    expect(refused.map(({ error }) => error.code)).toEqual(['unauthenticated', 'unauthenticated']);
    expect(browser.cookie).toBe(cookie);
    expect(await rows()).toEqual([]);
  });

  it('from an address that has sent a fifth of the day’s bytes is refused, and one from another is taken', async () => {
    await bff.stop();
    await start({ FILES_DAILY_BYTES: 1_000 });
    const text = Buffer.from('x'.repeat(300));
    const from = (address: string) =>
      upload(bff, bff.browser(), text, { name: 'a.txt', headers: { 'X-Forwarded-For': address } });
    const answers = [await from('10.1.1.1'), await from('10.1.1.1'), await from('10.1.1.2')];
    expect(answers.map(({ status }) => status)).toEqual([201, 429, 201]);
  });

  it('is kept as it is, with its type, name and hash, for a visitor who gets a session', async () => {
    const pdf = Buffer.from('%PDF-1.4\n%\xe2\xe3\n1 0 obj', 'latin1');
    const { status, data } = await upload(bff, browser, pdf, { name: 'Bill März.pdf' });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.any(String),
      name: 'Bill März.pdf',
      size: pdf.length,
      type: 'application/pdf',
    });
    expect(browser.cookie).not.toBe('');
    expect(bytesOf(data.id)).toEqual(pdf);
    expect(statSync(join(folder(), data.id.slice(-2), data.id)).mode & 0o777).toBe(0o600);
    const [row] = await rows();
    expect(row).toMatchObject({
      size: pdf.length,
      sha256: createHash('sha256').update(pdf).digest('hex'),
      operation_id: null,
    });
    expect(row!.name_sealed).not.toContain('Bill');
    expect(left()).toEqual([]);
  });

  it('of a photo has no position, its pixels as a person sees them, and the hash of what is kept', async () => {
    const { data } = await upload(bff, browser, sample('DSCN0010.jpg'), { name: 'DSCN0010.PNG' });
    expect(data).toMatchObject({ name: 'DSCN0010.jpg', type: 'image/jpeg', width: 640, height: 480 });
    expect(await factsIn(sample('DSCN0010.jpg'))).toMatchObject({ latitude: expect.closeTo(43.467) });
    expect(await factsIn(bytesOf(data.id))).toEqual({});
    expect((await rows())[0]!.sha256).toBe(createHash('sha256').update(bytesOf(data.id)).digest('hex'));
  });

  it('that is repeated gets the same answer and no second copy', async () => {
    const key = randomUUID();
    const first = await upload(bff, browser, pngOf(3, 2), { key });
    const again = await upload(bff, browser, pngOf(3, 2), { key });
    expect([again.status, again.data]).toEqual([201, first.data]);
    expect(await kept()).toEqual([first.data.id]);
  });

  it('with the key of one that is still arriving takes its place', async () => {
    await upload(bff, browser, pngOf(1, 1));
    const key = randomUUID();
    let end = () => {};
    const slow = new ReadableStream({
      start(controller) {
        controller.enqueue(pngOf(2, 2).subarray(0, 30));
        end = () => {
          controller.enqueue(pngOf(2, 2).subarray(30));
          controller.close();
        };
      },
    });
    const older = upload(bff, browser, slow, { key });
    await expect.poll(rows).toHaveLength(2);
    const newer = await upload(bff, browser, pngOf(4, 4), { key });
    end();
    expect([(await older).status, newer.status]).toEqual([409, 201]);
    bff.clock.offsetMs += 7_200_000;
    await bff.housekeep();
    expect((await rows()).map(({ width }) => width)).toEqual([1, 4]);
    expect(new Set(await kept())).toEqual(new Set((await rows()).map(({ id }) => id)));
  });

  it.each([
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), 'bill.pdf', 'unsupported_media_type'],
    ['random bytes', Buffer.from([1, 2, 3, 0, 255]), 'bill.pdf', 'unsupported_media_type'],
    ['nothing', Buffer.alloc(0), 'bill.pdf', 'unsupported_media_type'],
    [
      'a photo that would keep something unknown',
      Buffer.from('II+\0\x08\0\0\0aaaaaaaa', 'latin1'),
      'a.tif',
      'unsupported_media_type',
    ],
    ['too many bytes', Buffer.alloc(10_000_001, 'a'), 'a.txt', 'payload_too_large'],
  ])('of %s is refused, and nothing of it is left', async (_, bytes, name, code) => {
    const { error } = await upload(bff, browser, bytes, { name });
    expect(error.code).toBe(code);
    expect([await rows(), left()]).toEqual([[], []]);
    expect(await bff.store.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  it('of unknown length that grows too large is refused', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(65_536, 'a')),
    });
    expect((await upload(bff, browser, stream, { name: 'a.txt' })).status).toBe(413);
    expect([await rows(), left()]).toEqual([[], []]);
  });

  it('that breaks off leaves nothing', async () => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(pngOf(2, 2)),
      pull(controller) {
        controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
      },
    });
    expect((await upload(bff, browser, stream)).status).toBe(400);
    expect([await rows(), left()]).toEqual([[], []]);
  });

  it.each([
    [{ 'X-File-Name': '%zz' }],
    [{ 'X-File-Name': '' }],
    [{ 'X-File-Name': 'a'.repeat(5_000) }],
    [{ 'Idempotency-Key': 'no key' }],
  ])('with the header %j is refused', async (headers) =>
    expect((await upload(bff, browser, pngOf(1, 1), { headers })).error.code).toBe('invalid_request'),
  );

  it.each([[{ 'Sec-Fetch-Site': 'cross-site' }], [{ 'X-Deskside': '' }]])(
    'of another page, with the header %j, is refused',
    async (headers) => expect((await upload(bff, browser, pngOf(1, 1), { headers })).status).toBe(403),
  );

  it('of a picture with 50,000 × 50,000 pixels is taken, and never shown as a picture', async () => {
    const { data } = await upload(bff, browser, pngOf(50_000, 50_000), { name: 'huge.png' });
    expect(data).toEqual({
      id: expect.any(String),
      name: 'huge.png',
      size: expect.any(Number),
      type: 'image/png',
    });
  });

  it('of another customer under the same key is another file', async () => {
    const key = randomUUID();
    const ours = await upload(bff, browser, pngOf(1, 1), { key });
    const theirs = await upload(bff, bff.browser(), pngOf(2, 2), { key });
    expect(theirs.data.id).not.toBe(ours.data.id);
    expect(theirs.data.width).toBe(2);
  });
});

describe('limits', () => {
  it('of 200 uploads at once from one address, only as many as have a place are taken', async () => {
    const headers = { 'X-Forwarded-For': '10.1.2.3' };
    await upload(bff, browser, pngOf(1, 1));
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => upload(bff, browser, pngOf(1, 1), { headers })),
    );
    const taken = answers.filter(({ status }) => status === 201).length;
    expect(taken).toBeGreaterThanOrEqual(20);
    expect(taken).toBeLessThanOrEqual(100);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 429]));
    expect(await rows()).toHaveLength(taken + 1);
  });

  it('of a day, once reached, let no more files in, and are told once', async () => {
    await bff.stop();
    await start({ FILES_DAILY_BYTES: 100 });
    await upload(bff, browser, Buffer.alloc(150, 'a'), { name: 'a.txt' });
    for (let n = 0; n < 2; n += 1) {
      const { status, headers } = await upload(bff, browser, pngOf(1, 1));
      expect([status, headers.get('Retry-After')]).toEqual([503, '3600']);
    }
    expect(bff.logLines.filter((line) => line.includes('files_day_full'))).toHaveLength(1);
    bff.clock.offsetMs += 86_500_000;
    expect((await upload(bff, browser, pngOf(1, 1))).status).toBe(201);
  });
});

describe('a store that is full or away', () => {
  it('refuses the file with a word of its own, and takes the next once there is room', async () => {
    mkdirSync(bff.config.dataDir, { recursive: true });
    writeFileSync(folder(), 'a file where the folder should be');
    const { status, error } = await upload(bff, browser, pngOf(1, 1));
    expect([status, error.code]).toEqual([503, 'overloaded']);
    expect(bff.logLines.some((line) => line.includes('file_store_failed'))).toBe(true);
    rmSync(folder());
    expect((await upload(bff, browser, pngOf(1, 1))).status).toBe(201);
  });
});

describe('housekeeping', () => {
  const age = (ms: number) => {
    bff.clock.offsetMs += ms;
    return bff.housekeep();
  };

  it('removes a file that no message has after a day, and keeps one of a message', async () => {
    await browser.openTicket();
    const sent = await upload(bff, browser, pngOf(1, 1));
    await upload(bff, browser, pngOf(2, 2));
    await attach(bff, sent.data.id);
    await age(86_000_000);
    expect(await kept()).toHaveLength(2);
    await age(1_000_000);
    expect(await kept()).toEqual([sent.data.id]);
    expect(await rows()).toHaveLength(1);
  });

  it('removes a file when its message or its customer is deleted', async () => {
    await browser.openTicket();
    const sent = await upload(bff, browser, pngOf(1, 1));
    await upload(bff, browser, pngOf(2, 2));
    await attach(bff, sent.data.id);
    await browser.request('DELETE', '/api/session/data');
    await bff.housekeep();
    expect([await kept(), await rows()]).toEqual([[], []]);
  });

  it('removes the files of a customer who is deleted, also where somebody else keeps the ticket', async () => {
    const { data: ticket } = await browser.openTicket();
    const { data } = await upload(bff, browser, pngOf(1, 1));
    const link = await attach(bff, data.id);
    const holder = await bff.subjects.create({ email: '', name: null });
    await bff.store
      .insertInto('grants')
      .values({ subject_id: holder, ticket_id: ticket.id, created_at: bff.now() })
      .execute();
    expect((await bff.app.request(link)).status).toBe(200);
    await browser.request('DELETE', '/api/session/data');
    const ofHolder = bff.store.selectFrom('operations').select('id').where('subject_id', '=', holder);
    expect([(await ofHolder.execute()).length, (await bff.app.request(link)).status]).toEqual([1, 404]);
    await bff.housekeep();
    expect([await kept(), await rows()]).toEqual([[], []]);
  });

  it('removes the files of a refused message with its text', async () => {
    await browser.openTicket();
    const { data } = await upload(bff, browser, pngOf(1, 1));
    await attach(bff, data.id);
    await bff.store.updateTable('operations').set({ state: 'rejected', payload_sealed: 'text' }).execute();
    await bff.housekeep();
    expect(await kept()).toEqual([data.id]);
    await bff.store.updateTable('operations').set({ payload_sealed: null }).execute();
    await bff.housekeep();
    expect([await kept(), await rows()]).toEqual([[], []]);
  });

  it('removes what a killed process has left behind', async () => {
    mkdirSync(join(folder(), 'tmp'), { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(folder(), 'tmp', name), 'x');
    utimesSync(join(folder(), 'tmp', 'old'), 1, 1);
    await bff.housekeep();
    expect(left()).toEqual(['new']);
  });

  it('removes files of messages after RETENTION_FILES_DAYS', async () => {
    await bff.stop();
    await start({ RETENTION_FILES_DAYS: 2 });
    await browser.openTicket();
    const { data } = await upload(bff, browser, pngOf(1, 1));
    await attach(bff, data.id);
    await age(1.9 * 86_400_000);
    expect(await kept()).toHaveLength(1);
    await age(0.2 * 86_400_000);
    expect([await kept(), await rows()]).toEqual([[], []]);
  });
});

it('with FILES=off there is no route', async () => {
  await bff.stop();
  await start({ FILES: 'off' });
  expect(
    (await upload(bff, browser, Buffer.from('{}'), { headers: { 'Content-Type': 'application/json' } }))
      .status,
  ).toBe(404);
});

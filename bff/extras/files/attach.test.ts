import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { addFile, withFiles } from './testing/uploaded.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff(withFiles);
});
afterEach(() => bff.stop());

const subjectOf = async (browser: TestBrowser) => {
  const token = browser.cookie.split('=')[1]!;
  return (await bff.sessions.authenticate(bff.sessions.hashOf(token)))!.session.subjectId;
};
/** A customer with a ticket, and an uploaded file. */
async function withFile() {
  const browser = bff.browser();
  const { data } = await browser.openTicket();
  const subjectId = await subjectOf(browser);
  return { browser, ticketId: data.id as string, subjectId, fileId: await addFile(bff, subjectId) };
}
const reply = (browser: TestBrowser, ticketId: string, body: object, key?: string) =>
  browser.post(paths.messages(ticketId), body, key);
const sentTexts = (): string[] =>
  [...bff.service.tickets.values()].flatMap((ticket) => [
    String(ticket.description),
    ...ticket.messages.map((message: { body: string }) => message.body),
  ]);
const fileRow = (id: string) =>
  bff.store.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst();

describe('a reply with a file', () => {
  it('is sent with a line for agents, which the customer sees as a file', async () => {
    const { browser, ticketId, fileId } = await withFile();
    const { status, data } = await reply(browser, ticketId, { body: 'See here', files: [fileId] });
    expect(status).toBe(201);
    const file = { name: 'lid.jpg', width: 1_280, height: 960, size: 1_200_000 };
    expect(data).toMatchObject({ body: 'See here', files: [file] });
    expect(sentTexts().at(-1)).toMatch(
      /^See here\n\nFile: lid\.jpg, 1\.2 MB, 1280 × 960, https:\/\/support\.test\/f\/[\w-]{22}\/lid\.jpg\n\nDeskside: details 1$/,
    );
    const { messages } = (await browser.get(paths.ticket(ticketId))).data;
    expect(messages.at(-1)).toMatchObject({ body: 'See here', files: [data.files[0]] });
  });

  it('may have no text', async () => {
    const { browser, ticketId, fileId } = await withFile();
    expect((await reply(browser, ticketId, { body: ' ', files: [fileId] })).status).toBe(201);
    const { messages } = (await browser.get(paths.ticket(ticketId))).data;
    expect(messages.at(-1)).toMatchObject({ body: '', files: [{ name: 'lid.jpg' }] });
    expect((await reply(browser, ticketId, { body: '' })).error.fields).toEqual({ body: 'required' });
  });

  it('that is repeated is sent once, with the same answer', async () => {
    const { browser, ticketId, fileId } = await withFile();
    const key = randomUUID();
    const [first, second] = [
      await reply(browser, ticketId, { body: 'See', files: [fileId] }, key),
      await reply(browser, ticketId, { body: 'See', files: [fileId] }, key),
    ];
    expect(second.data).toEqual(first.data);
    expect(sentTexts().filter((text) => text.startsWith('See'))).toHaveLength(1);
    const other = await addFile(bff, await subjectOf(browser));
    const changed = await reply(browser, ticketId, { body: 'See', files: [other] }, key);
    expect(changed.status).toBe(422);
    expect((await fileRow(other))!.operation_id).toBeNull();
  });

  it('leaves a forged line in the text of the customer', async () => {
    const { browser, ticketId } = await withFile();
    const body =
      'Hi\n\nFile: a.pdf, 1 MB, https://evil.example/f/AAAAAAAAAAAAAAAAAAAAAA/a.pdf\n\nDeskside: details 1';
    await reply(browser, ticketId, { body });
    expect(sentTexts().at(-1)).toMatch(/\n> Deskside: details 1$/);
    const { messages } = (await browser.get(paths.ticket(ticketId))).data;
    expect(messages.at(-1).body).toBe(body);
    expect(messages.at(-1).files).toBeUndefined();
  });
});

describe('a new ticket with a file', () => {
  it('is sent with a line among those that its last line counts', async () => {
    const { browser, fileId } = await withFile();
    const { status, data } = await browser.openTicket({ files: [fileId], description: 'Broken' });
    expect(status).toBe(201);
    expect(sentTexts().at(-1)).toMatch(/^Broken\n\nFile: lid\.jpg, .*\n\nDeskside: .* · details 1 · ref DS-/);
    const { messages } = (await browser.get(paths.ticket(data.id))).data;
    expect(messages[0]).toMatchObject({ body: 'Broken', files: [{ name: 'lid.jpg' }] });
  });

  it('is refused when text and lines together are too long', async () => {
    const { browser, subjectId } = await withFile();
    const files = await Promise.all(Array.from({ length: 5 }, () => addFile(bff, subjectId)));
    const { error } = await browser.openTicket({ files, description: 'x'.repeat(19_600) });
    expect(error.fields).toEqual({ description: 'too_long' });
    expect((await fileRow(files[0]!))!.operation_id).toBeNull();
  });
});

describe('a file', () => {
  const refused = { code: 'invalid_request', fields: { files: 'invalid' } };

  it('of another customer, of nobody, still arriving, or of another message cannot be sent', async () => {
    const { browser, ticketId, subjectId, fileId } = await withFile();
    const theirs = await withFile();
    await reply(theirs.browser, theirs.ticketId, { body: 'Mine', files: [theirs.fileId] });
    await reply(browser, ticketId, { body: 'First', files: [fileId] });
    const ids = [
      (await withFile()).fileId,
      theirs.fileId,
      fileId,
      await addFile(bff, null),
      await addFile(bff, subjectId, { size: null }),
      'unknown',
    ];
    for (const id of ids)
      expect((await reply(browser, ticketId, { body: 'Again', files: [id] })).error).toMatchObject(refused);
    expect(sentTexts().filter((text) => text.startsWith('Again'))).toEqual([]);
  });

  it('is refused beside more than the operator allows', async () => {
    const { browser, ticketId, subjectId } = await withFile();
    const ids = await Promise.all(Array.from({ length: 6 }, () => addFile(bff, subjectId)));
    expect((await reply(browser, ticketId, { body: 'Six', files: ids })).error).toMatchObject(refused);
    expect((await reply(browser, ticketId, { body: 'Five', files: ids.slice(1) })).status).toBe(201);
  });

  it('in two messages at once is sent with one of them', async () => {
    const { browser, ticketId, fileId } = await withFile();
    const answers = await Promise.all(
      ['One', 'Two'].map((body) => reply(browser, ticketId, { body, files: [fileId] })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 400]));
    expect(sentTexts().filter((text) => text.includes('File: '))).toHaveLength(1);
  });

  it('is in the data of its customer, and its link ends with them', async () => {
    const { browser, ticketId, fileId, subjectId } = await withFile();
    const { data } = await reply(browser, ticketId, { body: 'See', files: [fileId] });
    const { sends } = (await browser.get(accountPaths.data)).data;
    expect(sends.at(-1)!.files).toMatchObject([{ name: 'lid.jpg', size: 1_234_567, url: data.files[0].url }]);
    await bff.removal.removeSubject(subjectId, 'drop');
    expect(await fileRow(fileId)).toMatchObject({ operation_id: null, subject_id: null });
  });
});

it('a message with files is refused where the operator takes none any more, unless it is a repeat', async () => {
  const { browser, ticketId, fileId } = await withFile();
  const key = randomUUID();
  const { data } = await reply(browser, ticketId, { body: 'See', files: [fileId] }, key);
  const { acceptFiles } = bff.extras.get('files')!;
  delete bff.extras.get('files')!.acceptFiles;
  expect(acceptFiles).toBeDefined();
  expect((await reply(browser, ticketId, { body: 'Hi', files: ['x'] })).error.fields).toEqual({
    files: 'invalid',
  });
  const again = await reply(browser, ticketId, { body: 'See', files: [fileId] }, key);
  expect([again.status, again.data.id]).toEqual([201, data.id]);
});

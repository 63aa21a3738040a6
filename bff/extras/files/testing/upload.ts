import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  fileLinkPath,
  fileNameHeader,
  filesPath,
  type UploadedFile,
} from '../../../../shared/contract/files.ts';
import { gateHeader, idempotencyHeader } from '../../../../shared/contract/paths.ts';
import type { TestBff } from '../../../testing/bff.ts';
import type { TestBrowser } from '../../../testing/browser.ts';
import { createLinks } from '../links.ts';

/** As an operator has it who sets nothing. */
export const fileValues = {
  FILES: 'on',
  FILES_MAX_BYTES: 10_000_000,
  FILES_MAX_COUNT: 5,
  FILES_DAILY_BYTES: 5e9,
  RETENTION_FILES_DAYS: 0,
};

/** A photo or another file of the folder beside this one. */
export const sample = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'files', name));

/** A PNG of one colour, which has only what a header says. */
export function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const magic = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(20)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export interface UploadAnswer {
  status: number;
  data: UploadedFile;
  error: { code: string; fields?: Record<string, string> };
  headers: Headers;
}

let addresses = 0;

/** Uploads as the app does, with the session of the browser, which it gets if it has none. */
export async function upload(
  bff: Pick<TestBff, 'app'>,
  browser: TestBrowser,
  bytes: Buffer | ReadableStream,
  {
    name = 'photo.jpg',
    key = randomUUID(),
    headers = {},
  }: { name?: string; key?: string; headers?: Record<string, string> } = {},
): Promise<UploadAnswer> {
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: {
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': `10.99.${(addresses >> 8) & 255}.${addresses++ & 255}`,
      [gateHeader]: '1',
      [fileNameHeader]: encodeURIComponent(name),
      [idempotencyHeader]: key,
      'Content-Type': 'image/x-whatever',
      ...(bytes instanceof Buffer && { 'Content-Length': String(bytes.length) }),
      ...(browser.cookie && { Cookie: browser.cookie }),
      ...headers,
    },
    body: bytes as NonNullable<RequestInit['body']>,
    duplex: 'half',
  };
  const response = await bff.app.request(filesPath, init);
  const cookie = response.headers.get('set-cookie');
  if (cookie) browser.cookie = cookie.split(';')[0]!;
  const { data, error } = (await response.json()) as Pick<UploadAnswer, 'data' | 'error'>;
  return { status: response.status, data, error, headers: response.headers };
}

/** Makes it a file of the customer's first send, so that its link opens. Returns the path of the link. */
export async function attach(bff: Pick<TestBff, 'store' | 'seal'>, id: string, name = 'x'): Promise<string> {
  const { id: operationId } = await bff.store.selectFrom('operations').select('id').executeTakeFirstOrThrow();
  await bff.store
    .updateTable('files')
    .set({ operation_id: operationId, subject_id: null })
    .where('id', '=', id)
    .execute();
  return `${fileLinkPath}/${createLinks(bff, '').tokenOf(id)}/${name}`;
}

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBff } from '../../testing/bff.ts';
import { bucketIn, createS3Store } from './s3-store.ts';
import { attach, fileValues, pngOf, upload } from './testing/upload.ts';

interface S3Server {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
/** It has no types. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server;

let folder: string;
let server: S3Server;
let address: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 's3-'));
  const configureBuckets = [{ name: 'deskside' }];
  server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
  const { port } = await server.run();
  address = `s3://S3RVER:S3RVER@127.0.0.1:${port}/deskside?tls=off`;
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const written = (bytes: Buffer) => {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  return [path, { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }] as const;
};

describe('a bucket', () => {
  it('keeps a file, gives it back whole and in parts, and removes it', async () => {
    const store = createS3Store(address);
    const bytes = Buffer.alloc(300_000, '0123456789');
    await store.put('some-id', ...written(bytes));
    expect(await buffer((await store.open('some-id'))!)).toEqual(bytes);
    expect((await buffer((await store.open('some-id', { first: 12, last: 14 }))!)).toString()).toBe('234');
    await store.remove('some-id');
    expect(await store.open('some-id')).toBeNull();
    await store.remove('some-id');
    expect(await store.check()).toBeNull();
  });

  it.each([
    ['of another key', () => address.replace('S3RVER:', 'OTHER:'), 'HTTP_403'],
    ['that does not exist', () => address.replace('/deskside', '/nothing'), 'HTTP_404'],
    ['of a server that is away', () => 's3://a:b@127.0.0.1:1/deskside?tls=off', 'ECONNREFUSED'],
  ])('%s is told, and takes nothing', async (_, url, code) => {
    const store = createS3Store(url());
    await expect(store.put('some-id', ...written(Buffer.from('x')))).rejects.toMatchObject({ code });
    expect(await store.check()).toContain(code);
  });

  it('gets the length and the hash of what it is sent', async () => {
    let headers: Record<string, unknown> = {};
    const listening = createServer((request, response) => {
      ({ headers } = request);
      request.resume().on('end', () => response.end());
    });
    await once(listening.listen(0, '127.0.0.1'), 'listening');
    const { port } = listening.address() as AddressInfo;
    const [path, facts] = written(Buffer.from('hello'));
    await createS3Store(`s3://a:b@127.0.0.1:${port}/deskside?tls=off&region=eu-west-1`).put(
      'id',
      path,
      facts,
    );
    expect(headers).toMatchObject({ 'content-length': '5', 'x-amz-content-sha256': facts.sha256 });
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(headers['authorization']).toContain('/eu-west-1/s3/aws4_request');
    listening.close();
  });
});

it.each([
  ['s3://key:a%2Fb@s3.example.com/bucket?region=eu-1', 'https://s3.example.com/bucket', 'a/b'],
  ['s3://key:s@s3.example.com/bucket?path-style=off', 'https://bucket.s3.example.com', 's'],
  ['s3://key:s@127.0.0.1:9000/bucket/?tls=off', 'http://127.0.0.1:9000/bucket', 's'],
])('%s is a bucket', (text, url, secretAccessKey) =>
  expect(bucketIn(text)).toMatchObject({ url, secretAccessKey }),
);

it.each([
  'https://k:s@h/bucket',
  's3://h/bucket',
  's3://k:s@h/',
  's3://k:s@h/a/b',
  's3://k:s@h/bucket?regoin=x',
])('%s is no bucket', (text) => expect(() => bucketIn(text)).toThrow('no bucket'));

it('a file in a bucket is answered at its link, and removed from it with its message', async () => {
  const bff = await startBff({ values: { ...fileValues, FILES_URL: address } });
  const browser = bff.browser();
  await browser.openTicket();
  const { data } = await upload(bff, browser, pngOf(2, 2));
  const path = await attach(bff, data.id);
  const answer = await bff.app.request(path, { headers: { Range: 'bytes=1-3' } });
  expect([answer.status, await answer.text()]).toEqual([206, 'PNG']);
  await bff.store.updateTable('files').set({ operation_id: null }).execute();
  await bff.housekeep();
  expect(await createS3Store(address).open(data.id)).toBeNull();
  await bff.stop();
});

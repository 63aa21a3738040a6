import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../../scripts/serve.ts';
import { startBff } from '../../testing/bff.ts';
import { bucketIn, createS3Store } from './s3-store.ts';
import { refusalOf, type SignedRequest } from './testing/sigv4.ts';
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
    const { store, requests, stop } = await startSigned();
    const [path, facts] = written(Buffer.from('hello'));
    await store.put('id', path, facts);
    const [{ headers }] = requests as [SignedRequest];
    expect(headers).toMatchObject({ 'content-length': '5', 'x-amz-content-sha256': facts.sha256 });
    expect(headers['transfer-encoding']).toBeUndefined();
    await stop();
  });

  it('gets requests whose signatures S3 accepts, and no others', async () => {
    const { store, requests, stop } = await startSigned();
    await store.put('some-id', ...written(Buffer.from('hello')));
    await store.open('some-id', { first: 1, last: 3 });
    await store.remove('some_ID');
    expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'PUT /deskside/files/some-id',
      'GET /deskside/files/some-id',
      'DELETE /deskside/files/some_ID',
    ]);
    expect(requests.map((request) => refusalOf(request, signer))).toEqual([null, null, null]);
    const other = { ...signer, secretAccessKey: 'other' };
    expect(requests.map((request) => refusalOf(request, other))).toEqual(
      Array.from({ length: 3 }, () => 'SignatureDoesNotMatch'),
    );
    await stop();
  });

  it('that hides from a key without the right to list it what is missing has no such file', async () => {
    const { store, stop } = await startSigned('AccessDenied');
    expect(await store.open('some-id')).toBeNull();
    await stop();
    const wrong = await startSigned('SignatureDoesNotMatch');
    await expect(wrong.store.open('some-id')).rejects.toMatchObject({ code: 'HTTP_403' });
    await wrong.stop();
  });
});

const signer = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a/b+c=d e%', region: 'eu-west-1' };

/** A server that keeps the requests that it gets, and refuses each with this code if there is one. */
async function startSigned(refusal?: string) {
  const requests: SignedRequest[] = [];
  const { port, stop } = await serve((request, response) => {
    void buffer(request).then((body) => {
      const { method, url, headers } = request;
      requests.push({ method: method!, target: url!, headers, body });
      response.writeHead(refusal ? 403 : 200).end(refusal && `<Error><Code>${refusal}</Code></Error>`);
    });
  });
  const key = `${signer.accessKeyId}:${encodeURIComponent(signer.secretAccessKey)}`;
  const store = createS3Store(`s3://${key}@127.0.0.1:${port}/deskside?tls=off&region=${signer.region}`);
  return { store, requests, stop };
}

/** Examples that AWS has published, with its own key, for Signature Version 4 of S3. */
it.each([
  [
    'GET',
    '/test.txt',
    { range: 'bytes=0-9' },
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT',
    '/test%24file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET',
    '/?lifecycle',
    {},
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
])('the check of signatures takes the published example %s %s', (method, target, more, sha256, signature) => {
  const signed = {
    ...more,
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': sha256,
    'x-amz-date': '20130524T000000Z',
  };
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${Object.keys(signed).toSorted().join(';')},Signature=${signature}`;
  const own = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
  };
  expect(refusalOf({ method, target, headers: { ...signed, authorization } }, own)).toBeNull();
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

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import { checkedId, type FileStore, StoreAway } from './store.ts';

/*
 * Keeps files in a bucket of S3, or of what speaks like it. Three calls are all that is needed, so it signs them with
 * aws4fetch, one file without dependencies, rather than to load the SDK. It sends the length and the hash of each file: many
 * servers refuse a body of unknown length, and the hash makes the server check what it got.
 */

/** For the beginning of an answer, and between two parts of one. */
const patienceMs = 30_000;
const prefix = 'files/';

/** Where a bucket is. */
interface Bucket {
  /** Without a slash at the end. */
  url: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/**
 * Reads `s3://key:secret@host/bucket?region=…`. Key and secret are percent-encoded. `path-style=off`: the bucket is a
 * part of the host. `tls=off`: plain HTTP, for a server on this machine.
 * @throws when it is something else
 */
export function bucketIn(text: string): Bucket {
  const { protocol, host, username, password, pathname, searchParams, hash } = new URL(text);
  const bucket = pathname.slice(1).replace(/\/$/, '');
  const known = new Set(['region', 'path-style', 'tls']);
  const isWrong =
    protocol !== 's3:' ||
    !host ||
    !username ||
    !password ||
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) ||
    hash !== '' ||
    [...searchParams.keys()].some((name) => !known.has(name));
  if (isWrong) throw new Error('no bucket');
  const scheme = searchParams.get('tls') === 'off' ? 'http' : 'https';
  const isInHost = searchParams.get('path-style') === 'off';
  return {
    url: isInHost ? `${scheme}://${bucket}.${host}` : `${scheme}://${host}/${bucket}`,
    region: searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'UNKNOWN';
};

export function createS3Store(text: string): FileStore {
  const { url: bucketUrl, region, accessKeyId, secretAccessKey } = bucketIn(text);

  /** Statuses in `fine` are answers. */
  async function call(
    method: 'GET' | 'PUT' | 'DELETE',
    id: string,
    fine: readonly number[],
    {
      headers = {},
      sha256 = 'UNSIGNED-PAYLOAD',
      body,
    }: { headers?: Record<string, string>; sha256?: string; body?: Dispatcher.DispatchOptions['body'] } = {},
  ): Promise<Dispatcher.ResponseData> {
    const signer = new AwsV4Signer({
      method,
      url: `${bucketUrl}/${prefix}${checkedId(id)}`,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    });
    const signed = await signer.sign();
    let answer: Dispatcher.ResponseData;
    try {
      answer = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        body: body ?? null,
        headersTimeout: patienceMs,
        bodyTimeout: patienceMs,
      });
    } catch (error) {
      throw new StoreAway(codeOf(error), error);
    }
    if (fine.includes(answer.statusCode)) return answer;
    answer.body.on('error', () => {}).destroy();
    throw new StoreAway(`HTTP_${answer.statusCode}`);
  }

  async function put(id: string, path: string, { size, sha256 }: { size: number; sha256: string }) {
    const { body } = await call('PUT', id, [200, 201, 204], {
      headers: { 'content-length': String(size), 'content-type': 'application/octet-stream' },
      sha256,
      body: createReadStream(path),
    });
    await body.dump();
  }

  async function remove(id: string) {
    await (await call('DELETE', id, [200, 204, 404])).body.dump();
  }

  const store: FileStore = {
    location: bucketUrl,
    put,
    remove,

    async open(id, range) {
      const headers = range ? { range: `bytes=${range.first}-${range.last}` } : undefined;
      const { statusCode, body } = await call('GET', id, [200, 206, 403, 404], headers && { headers });
      if (statusCode < 300) return body;
      const said = await body.text();
      // So S3 says that there is none to a key which may not list the bucket.
      if (statusCode === 404 || said.includes('<Code>AccessDenied</Code>')) return null;
      throw new StoreAway(`HTTP_${statusCode}`);
    },

    async check() {
      const id = `check-${randomUUID()}`;
      const path = join(tmpdir(), id);
      try {
        await writeFile(path, id);
        await put(id, path, { size: id.length, sha256: createHash('sha256').update(id).digest('hex') });
        const found = await store.open(id);
        const read = found ? Buffer.concat(await found.toArray()).toString() : '';
        await remove(id);
        return read === id ? null : `${bucketUrl} did not give back what it got`;
      } catch (error) {
        return `${bucketUrl} cannot be used (${codeOf(error)})`;
      } finally {
        await rm(path, { force: true });
      }
    },
  };
  return store;
}

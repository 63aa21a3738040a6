import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../api/client.ts';
import { readStream } from '../api/stream.ts';
import { createToken } from '../api/token.ts';
import { newStore } from '../testing/fakes.ts';
import type { StoredFile } from './blobs.ts';
import { upload } from './upload.ts';

const file: StoredFile = {
  key: 'local',
  bytes: new TextEncoder().encode('Hello').buffer,
  picture: '',
  name: 'résumé 1.txt',
  at: 0,
  upload: 'key-1',
  owner: null,
};

const requests: FakeRequest[] = [];
class FakeRequest extends EventTarget {
  headers: Record<string, string> = {};
  upload = new EventTarget();
  status = 0;
  responseText = '';
  path = '';
  body: unknown;
  open(_method: string, path: string) {
    this.path = path;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(body: unknown) {
    this.body = body;
    requests.push(this);
  }
  abort = vi.fn<() => void>(() => this.end('abort'));
  answer(status: number, body: object) {
    Object.assign(this, { status, responseText: JSON.stringify(body) });
    this.end('load');
  }
  end(type: string) {
    this.dispatchEvent(new Event(type));
    this.dispatchEvent(new Event('loadend'));
  }
}

beforeEach(() => {
  requests.length = 0;
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function start(signal = new AbortController().signal, sent = file) {
  const kept = newStore();
  const api = createClient({
    send: vi.fn<typeof fetch>(),
    token: createToken(kept, () => false),
    owner: () => null,
    readStream,
    solve: async () => null,
    renew: async () => false,
  });
  const shares: number[] = [];
  const result = upload(api, sent, signal, (share) => shares.push(share));
  return { result, shares, kept };
}

const begun = async () => {
  await expect.poll(() => requests.length).toBe(1);
  return requests[0]!;
};

it('an upload has the bytes, the name, its key and the headers of every request; its session is kept', async () => {
  const { result, kept } = start();
  const request = await begun();
  expect(request.path).toBe('./api/files');
  expect(request.body).toBe(file.bytes);
  expect(request.headers).toMatchObject({
    'X-Deskside': '1',
    'X-Deskside-Anonymous': '1',
    'X-Deskside-Session': 'bearer',
    'Idempotency-Key': 'key-1',
    'X-File-Name': 'r%C3%A9sum%C3%A9%201.txt',
    'Content-Type': 'application/octet-stream',
  });
  request.answer(201, { data: { id: 'f1', name: 'x', size: 5, type: 'text/plain' }, session_token: 't1' });
  expect(await result).toMatchObject({ ok: true, value: { id: 'f1' } });
  expect(kept.read('session')).toBe('t1');
});

it('the upload of a signed-in customer names them', async () => {
  start(undefined, { ...file, owner: 'ana' });
  const request = await begun();
  expect(request.headers).toMatchObject({ 'X-Deskside-Owner': 'ana' });
  expect(request.headers).not.toHaveProperty('X-Deskside-Anonymous');
});

it('progress is reported, and a refusal keeps its code', async () => {
  const { result, shares } = start();
  const request = await begun();
  request.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 4 }));
  request.answer(415, { error: { code: 'unsupported_media_type' } });
  expect(await result).toMatchObject({
    ok: false,
    error: { code: 'unsupported_media_type', retryable: false },
  });
  expect(shares).toEqual([0.25]);
});

it('a cut connection and silence are failures that can be tried again; progress keeps it going', async () => {
  vi.useFakeTimers();
  const { result } = start();
  await vi.advanceTimersByTimeAsync(29_000);
  const [request] = requests;
  request!.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: 1, total: 4 }));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(request!.abort).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await result).toMatchObject({ ok: false, error: { kind: 'network', retryable: true } });
});

it('an upload ends when its signal aborts', async () => {
  const abort = new AbortController();
  const { result } = start(abort.signal);
  const request = await begun();
  abort.abort();
  expect(request.abort).toHaveBeenCalledOnce();
  expect(await result).toMatchObject({ ok: false });
});

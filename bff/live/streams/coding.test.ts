import { Buffer } from 'node:buffer';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { type Coding, codingFor } from './coding.ts';
import { StreamText } from './stream-text.ts';

const gzip = () => codingFor('gzip, deflate, br');
const encode = (coding: Coding, text: string) => coding.encode([new StreamText(text)]);
const event = (body: string) => `event: message\ndata: ${JSON.stringify({ body })}\n\n`;
const texts = [
  '',
  ': still here\n\n',
  event('On its way.'),
  event('日本語 '.repeat(5_000)),
  event('x'.repeat(999)),
];

describe('a stream in gzip', () => {
  it('decodes to what was written, to the end', () => {
    const coding = gzip();
    const bytes = Buffer.concat([...texts.map((text) => encode(coding, text)), coding.end()]);
    expect(gunzipSync(bytes).toString()).toBe(texts.join(''));
  });

  it('sends each write at once as one piece, with the same bytes for every stream after its header', () => {
    const shared = texts.map((text) => new StreamText(text));
    const [one, other] = [gzip(), gzip()];
    const [ofOne, ofOther] = [one.encode(shared), (encode(other, 'before'), other.encode(shared))];
    expect(ofOne.subarray(10).equals(ofOther)).toBe(true);
    expect(gunzipSync(Buffer.concat([ofOne, one.end()])).toString()).toBe(texts.join(''));
  });

  it('that ends before its first text is empty', () => {
    expect(gunzipSync(gzip().end())).toHaveLength(0);
  });

  it('delivers each text as soon as its bytes are there', async () => {
    const coding = gzip();
    const reader = createGunzip({ flush: constants.Z_SYNC_FLUSH }).setEncoding('utf8');
    let read = '';
    reader.on('data', (text: string) => (read += text));
    let written = '';
    for (const text of texts) {
      written += text;
      reader.write(encode(coding, text));
      await vi.waitFor(() => expect(read === written).toBe(true), { timeout: 5_000 });
    }
  });

  it('is much shorter than its text, at least for a conversation', () => {
    const text = event(Array.from({ length: 50 }, (_, nth) => `Message number ${nth}.`).join('\n'));
    expect(encode(gzip(), text).length).toBeLessThan(text.length / 3);
  });
});

it.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'identity'],
  ['gzip;q=0', 'identity'],
  ['gzip; q=0.0, br', 'identity'],
  ['br, gzip;q=0.5', 'gzip'],
  ['GZIP', 'gzip'],
])('a reader that accepts %j gets %s', (accepted, name) => {
  expect(codingFor(accepted).name).toBe(name);
});

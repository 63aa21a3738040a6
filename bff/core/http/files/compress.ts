import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { type Asset, assetOf } from './assets.ts';

/** Quick, and a few per cent larger than what the build makes. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** A file that is made while the server runs, in every coding that browsers take. */
export function compressedNow(type: string, content: string): Asset {
  const identity = new Uint8Array(Buffer.from(content));
  const br = new Uint8Array(brotliCompressSync(identity, { params }));
  return codingsOf(type, identity, br, new Uint8Array(gzipSync(identity)));
}

/** The same without keeping other requests waiting. */
export async function compressed(type: string, content: string): Promise<Asset> {
  const identity = new Uint8Array(Buffer.from(content));
  const [br, gz] = await Promise.all([brotli(identity, { params }), gzipped(identity)]);
  return codingsOf(type, identity, new Uint8Array(br), new Uint8Array(gz));
}

const codingsOf = (
  type: string,
  identity: Uint8Array<ArrayBuffer>,
  br: Uint8Array<ArrayBuffer>,
  gz: Uint8Array<ArrayBuffer>,
) =>
  assetOf(
    type,
    new Map([
      ['identity', identity],
      ['br', br],
      ['gzip', gz],
    ]),
  );

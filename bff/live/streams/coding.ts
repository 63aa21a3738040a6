import { acceptedCodings } from '../../text/accept-encoding.ts';
import type { StreamText } from './stream-text.ts';

/** Converts the texts of a stream to bytes. Each text can be decoded as soon as its bytes have arrived. */
export interface Coding {
  /** The value for `Content-Encoding`. */
  name: 'gzip' | 'identity';
  encode(texts: readonly StreamText[]): Buffer;
  /** The bytes that end the stream. */
  end(): Buffer;
}

const join = (parts: readonly Buffer[]) => (parts.length === 1 ? parts[0]! : Buffer.concat(parts));

const identity: Coding = {
  name: 'identity',
  encode: (texts) => join(texts.map(({ bytes }) => bytes)),
  end: () => Buffer.alloc(0),
};

/** Deflate, modification time 0, no flags, unknown system: RFC 1952, section 2.3. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const lastBlock = Buffer.from([3, 0]);

/**
 * A gzip stream in which each text is compressed separately. A compressor per stream would take at least 80 kB of
 * memory. SECURITY: the size of one text says nothing about another.
 */
class Gzip implements Coding {
  readonly name = 'gzip';
  #checksum = 0;
  #length = 0;
  #isBegun = false;

  #begin(parts: Buffer[]): Buffer {
    if (!this.#isBegun) parts.unshift(header);
    this.#isBegun = true;
    return join(parts);
  }

  encode(texts: readonly StreamText[]): Buffer {
    for (const text of texts) {
      this.#checksum = text.checksum(this.#checksum);
      this.#length += text.bytes.length;
    }
    return this.#begin(texts.map(({ deflated }) => deflated));
  }

  end(): Buffer {
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.#length % 2 ** 32, 4);
    return this.#begin([lastBlock, trailer]);
  }
}

/** @param accepted an `Accept-Encoding` header */
export const codingFor = (accepted: string | undefined): Coding =>
  acceptedCodings(accepted, ['gzip']).includes('gzip') ? new Gzip() : identity;

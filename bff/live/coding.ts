import { constants, crc32, deflateRawSync } from 'node:zlib';
import { acceptedCodings } from '../text/accept-encoding.ts';

/** How the texts of a stream become bytes. Each can be read as soon as its bytes are there. */
export interface Coding {
  /** As in `Content-Encoding`. */
  name: 'gzip' | 'identity';
  encode(text: string): Buffer;
  /** The bytes that end the stream. */
  end(): Buffer;
}

const identity: Coding = {
  name: 'identity',
  encode: (text) => Buffer.from(text),
  end: () => Buffer.alloc(0),
};

/** Deflate, modification time 0, no flags, unknown system: RFC 1952, section 2.3. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const lastBlock = Buffer.from([3, 0]);
/** Compressing less than this costs more than it saves. A stored block has at most 65,535 bytes. */
const worthBytes = 200;

/** A block that is not compressed: RFC 1951, section 3.2.4. */
function storedBlock(bytes: Buffer): Buffer {
  const start = Buffer.alloc(5);
  start.writeUInt16LE(bytes.length, 1);
  start.writeUInt16LE(~bytes.length & 0xffff, 3);
  return Buffer.concat([start, bytes]);
}

/**
 * A gzip stream in which each text is compressed separately. A compressor per stream would take at least 80 kB of
 * memory. SECURITY: the size of one text says nothing about another.
 */
function createGzip(): Coding {
  let checksum = 0;
  let length = 0;
  let isBegun = false;
  const begin = () => (isBegun ? Buffer.alloc(0) : ((isBegun = true), header));

  return {
    name: 'gzip',
    encode(text) {
      const bytes = Buffer.from(text);
      checksum = crc32(bytes, checksum);
      length += bytes.length;
      const block =
        bytes.length < worthBytes
          ? storedBlock(bytes)
          : deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
      return Buffer.concat([begin(), block]);
    },
    end() {
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(checksum, 0);
      trailer.writeUInt32LE(length % 2 ** 32, 4);
      return Buffer.concat([begin(), lastBlock, trailer]);
    },
  };
}

/** @param accepted an `Accept-Encoding` header */
export const codingFor = (accepted: string | undefined): Coding =>
  acceptedCodings(accepted, ['gzip']).includes('gzip') ? createGzip() : identity;

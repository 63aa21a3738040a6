import { constants, crc32, deflateRawSync } from 'node:zlib';

/** The size of a packet. Compressing less costs more than it saves. A stored block has at most 65,535 bytes. */
const worthBytes = 1_000;

/** A block that is not compressed: RFC 1951, section 3.2.4. */
function storedBlock(bytes: Buffer): Buffer {
  const block = Buffer.allocUnsafe(bytes.length + 5);
  block[0] = 0;
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(~bytes.length & 0xffff, 3);
  bytes.copy(block, 5);
  return block;
}

/** A text that many streams may send. Its bytes are created once for all of them. */
export class StreamText {
  readonly #text: string;
  #bytes: Buffer | undefined;
  #deflated: Buffer | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.#text));
  }

  /** As a deflate block that can be decoded without any other block. */
  get deflated(): Buffer {
    return (this.#deflated ??=
      this.bytes.length < worthBytes
        ? storedBlock(this.bytes)
        : deflateRawSync(this.bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
  }

  /** The CRC-32 of this text appended to data with the checksum `before`. */
  checksum(before: number): number {
    return crc32(this.bytes, before);
  }
}

import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { streamWriterLimits, StreamWriter } from './stream-writer.ts';

/** A response whose reader accepts nothing until `take` is called. It then accepts everything written. */
function fakeResponse() {
  const response = Object.assign(new EventEmitter(), {
    pieces: [] as Buffer[],
    writableLength: 0,
    writableEnded: false,
    destroyed: false,
    write(piece: Buffer): boolean {
      response.pieces.push(piece);
      response.writableLength += piece.length;
      return false;
    },
    end() {
      response.writableEnded = true;
    },
    destroy() {
      response.destroyed = true;
    },
    take() {
      response.writableLength = 0;
      response.emit('drain');
    },
  });
  return response;
}

function setUp(inAll = { unsentBytes: 0 }) {
  const clock = { ms: 0.25 };
  const response = fakeResponse();
  const writer = new StreamWriter(response as unknown as ServerResponse, () => clock.ms, inAll);
  return {
    clock,
    response,
    writer: {
      write: (text: string) => writer.write([Buffer.from(text)]),
      end: () => writer.end(),
      forget: () => writer.forget(),
    },
  };
}

const { stuckMs, maxUnsentBytes, maxUnsentBytesInAll } = streamWriterLimits;

describe('a reader that has just received much', () => {
  it('receives more in the same moment, and all of it in order', () => {
    const { response, writer } = setUp();
    const texts = ['日'.repeat(1_200_000), 'and then', 'the end'];
    for (const text of texts) writer.write(text);
    writer.end();
    expect(response.destroyed).toBe(false);
    for (let taken = 0; taken < 100 && !response.writableEnded; taken += 1) response.take();
    expect(response.writableEnded).toBe(true);
    expect(Buffer.concat(response.pieces).equals(Buffer.from(texts.join('')))).toBe(true);
  });

  it('is kept as long as it takes some of it, however long that lasts', () => {
    const { clock, response, writer } = setUp();
    writer.write('x'.repeat(2_000_000));
    for (let i = 0; i < 20; i += 1) {
      clock.ms += stuckMs - 1_000;
      response.take();
      writer.write(': still here\n\n');
    }
    expect(response.destroyed).toBe(false);
  });
});

describe('a reader that takes nothing', () => {
  it('is disconnected at the first write after the time limit, not before [overload-32]', () => {
    const { clock, response, writer } = setUp();
    writer.write('hello');
    clock.ms += stuckMs;
    writer.write('again');
    expect(response.destroyed).toBe(false);
    clock.ms += 1;
    writer.write('again');
    expect(response.destroyed).toBe(true);
  });

  it('is disconnected after the time limit when its stream is to end, too', () => {
    const { clock, response, writer } = setUp();
    writer.write('x'.repeat(200_000));
    writer.end();
    clock.ms += stuckMs + 1;
    writer.write(': still here\n\n');
    expect(response.destroyed).toBe(true);
  });

  it('is disconnected at once when its buffer would exceed the maximum [overload-33]', () => {
    const { response, writer } = setUp();
    const half = 'x'.repeat(maxUnsentBytes / 2);
    writer.write(half);
    writer.write(half);
    expect(response.destroyed).toBe(false);
    writer.write('!');
    expect(response.destroyed).toBe(true);
  });
});

describe('when the buffers of all readers together are full', () => {
  const text = 'x'.repeat(maxUnsentBytes / 2);
  /** Readers that take nothing, until one of them is disconnected. */
  function fill() {
    const inAll = { unsentBytes: 0 };
    const readers: ReturnType<typeof setUp>[] = [];
    do {
      readers.push(setUp(inAll));
      readers.at(-1)!.writer.write(text);
    } while (!readers.at(-1)!.response.destroyed);
    return { inAll, readers };
  }

  it('a reader that does not take all at once is disconnected, and no other [overload-46]', () => {
    const { inAll, readers } = fill();
    expect(readers.map(({ response }) => response.destroyed).indexOf(true)).toBe(readers.length - 1);
    expect(readers.length).toBeGreaterThan(maxUnsentBytesInAll / text.length);
    expect(inAll.unsentBytes).toBeLessThanOrEqual(maxUnsentBytesInAll);
  });

  it('a short text still reaches a reader that takes it', () => {
    const { response, writer } = setUp(fill().inAll);
    writer.write('hello');
    expect([response.destroyed, String(response.pieces)]).toEqual([false, 'hello']);
  });

  it('there is room again once readers have closed their streams', () => {
    const { inAll, readers } = fill();
    for (const { writer } of readers) writer.forget();
    expect(inAll.unsentBytes).toBe(0);
  });
});

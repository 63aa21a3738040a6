import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { codingFor } from './coding.ts';
import { createOutlet, outletLimits } from './outlet.ts';

/** A response whose reader takes nothing by itself; `take` makes it take all that was written. */
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

function setUp() {
  const clock = { ms: 0.25 };
  const response = fakeResponse();
  const outlet = createOutlet(response as unknown as ServerResponse, () => clock.ms, codingFor(undefined));
  return { clock, response, outlet };
}

const { stuckMs, maxUnsentBytes } = outletLimits;

describe('a reader that was just given much', () => {
  it('is given more in the same moment, and gets all of it in order', () => {
    const { response, outlet } = setUp();
    const texts = ['日'.repeat(1_200_000), 'and then', 'the end'];
    for (const text of texts) outlet.write(text);
    outlet.end();
    expect(response.destroyed).toBe(false);
    for (let taken = 0; taken < 100 && !response.writableEnded; taken += 1) response.take();
    expect(response.writableEnded).toBe(true);
    expect(Buffer.concat(response.pieces).equals(Buffer.from(texts.join('')))).toBe(true);
  });

  it('is kept for as long as it takes some of it, however long that lasts', () => {
    const { clock, response, outlet } = setUp();
    outlet.write('x'.repeat(2_000_000));
    for (let i = 0; i < 20; i += 1) {
      clock.ms += stuckMs - 1_000;
      response.take();
      outlet.write(': still here\n\n');
    }
    expect(response.destroyed).toBe(false);
  });
});

describe('a reader that takes nothing', () => {
  it('is cut at the first word after the time is over, not before', () => {
    const { clock, response, outlet } = setUp();
    outlet.write('hello');
    clock.ms += stuckMs;
    outlet.write('again');
    expect(response.destroyed).toBe(false);
    clock.ms += 1;
    outlet.write('again');
    expect(response.destroyed).toBe(true);
  });

  it('is cut after that time when its stream is to end, too', () => {
    const { clock, response, outlet } = setUp();
    outlet.write('x'.repeat(200_000));
    outlet.end();
    clock.ms += stuckMs + 1;
    outlet.write(': still here\n\n');
    expect(response.destroyed).toBe(true);
  });

  it('is cut at once when more would have to be kept than the bound', () => {
    const { response, outlet } = setUp();
    const half = 'x'.repeat(maxUnsentBytes / 2);
    outlet.write(half);
    outlet.write(half);
    expect(response.destroyed).toBe(false);
    outlet.write('!');
    expect(response.destroyed).toBe(true);
  });
});

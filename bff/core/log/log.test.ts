import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError, LoggableError } from '../errors.ts';
import { logLines } from './sampler.ts';
import { createLog, type Log } from './log.ts';

interface Line {
  level: number;
  msg: string;
  [field: string]: unknown;
}

let lines: Line[];
let log: Log;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lines = [];
  log = logAt('info');
});
afterEach(() => {
  log.flush();
  vi.useRealTimers();
});

const logAt = (level: string) => createLog(level, { write: (line: string) => lines.push(JSON.parse(line)) });
const request = { request_id: 'an id', method: 'GET', route: '/api/tickets/:id', status: 200, ms: 3 };
const times = (count: number, act: () => void) => Array.from({ length: count }, act);

describe('a log line', () => {
  it('for the operator has level, code, message and fix', () => {
    log.report('clock_set', { ahead_ms: 500 });
    expect(lines).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        service: 'bff',
        code: 'clock_set',
        fix: 'Let NTP keep the clock of this machine, with DATABASE_URL that of the database server.',
        ahead_ms: 500,
        msg: 'the system clock was set',
      },
    ]);
  });

  it('for an error leaves out its message', () => {
    log.report('delivery_failed', { err: new Error('ada@example.com') });
    expect(lines[0]).toMatchObject({ level: 50, err: { name: 'Error' } });
    expect(JSON.stringify(lines)).not.toContain('ada@');
  });
});

describe('the log line of a request', () => {
  it('that was answered has its route and status', () => {
    log.request(request, undefined);
    expect(lines).toEqual([expect.objectContaining({ ...request, level: 30, msg: 'request' })]);
  });

  it('that was refused has the code of the answer, and our reason', () => {
    const cause = new LoggableError('claims: aud');
    log.request({ ...request, status: 401 }, new AppError('unauthenticated', { cause }));
    expect(lines).toEqual([
      expect.objectContaining({ level: 30, status: 401, code: 'unauthenticated', reason: 'claims: aud' }),
    ]);
  });

  it('that was refused leaves out a reason from outside', () => {
    log.request(
      { ...request, status: 400 },
      new AppError('invalid_request', { cause: new Error('ada@x.test') }),
    );
    expect(lines).toEqual([expect.not.objectContaining({ reason: expect.anything() })]);
  });

  it('that failed is an error with code, fix and cause', () => {
    const cause = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    log.request({ ...request, status: 503 }, new AppError('overloaded', { cause }));
    expect(lines).toEqual([
      expect.objectContaining({
        ...request,
        status: 503,
        level: 50,
        code: 'overloaded',
        fix: expect.stringContaining('deskside check'),
        err: expect.objectContaining({ code: 'SQLITE_FULL' }),
        msg: 'request failed',
      }),
    ]);
  });
});

describe('under a flood', () => {
  it('the first lines of one code are written, and one line counts the rest', () => {
    times(logLines.perCode + 7, () => log.report('connection_refused'));
    log.report('clock_set');
    expect(lines).toHaveLength(logLines.perCode + 1);
    vi.advanceTimersByTime(logLines.windowMs);
    expect(lines).toHaveLength(logLines.perCode + 2);
    expect(lines.at(-1)).toMatchObject({
      level: 40,
      code: 'connection_refused',
      left_out: 7,
      fix: expect.any(String),
    });
  });

  it('further requests with one route and status are counted instead of written', () => {
    times(logLines.perRequestKind + 5, () => log.request(request, undefined));
    log.request({ ...request, status: 429 }, new AppError('rate_limited'));
    expect(lines).toHaveLength(logLines.perRequestKind + 1);
    vi.advanceTimersByTime(logLines.windowMs);
    expect(lines).toHaveLength(logLines.perRequestKind + 2);
    expect(lines.at(-1)).toMatchObject({ level: 30, route: request.route, status: 200, left_out: 5 });
  });

  it('failing requests are limited together, as one code', () => {
    times(logLines.perCode + 1, () => log.request({ ...request, status: 500 }, new AppError('internal')));
    vi.advanceTimersByTime(logLines.windowMs);
    expect(lines).toHaveLength(logLines.perCode + 1);
    expect(lines.at(-1)).toMatchObject({ code: 'internal', route: request.route, status: 500, left_out: 1 });
  });

  it('the next window begins at zero', () => {
    times(logLines.perCode + 1, () => log.report('clock_set'));
    vi.advanceTimersByTime(logLines.windowMs);
    log.report('clock_set');
    vi.advanceTimersByTime(logLines.windowMs);
    expect(lines.map(({ left_out: count }) => count).slice(-2)).toEqual([1, undefined]);
  });

  it('the number of omitted lines is also written when the process ends', () => {
    times(logLines.perCode + 1, () => log.report('clock_set'));
    log.flush();
    expect(lines.at(-1)).toMatchObject({ code: 'clock_set', left_out: 1 });
  });

  it('lines below the level are not counted', () => {
    log = logAt('error');
    times(logLines.perRequestKind + 1, () => log.request(request, undefined));
    times(logLines.perCode + 1, () => log.report('clock_set'));
    log.flush();
    expect(lines).toEqual([]);
  });
});

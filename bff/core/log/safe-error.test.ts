import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { AppError, LoggableError } from '../errors.ts';
import { safeError } from './safe-error.ts';

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return expect.unreachable();
}

const address = 'ada@example.com';
const insertTwice = () =>
  new Database(':memory:').exec(`CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES ('x'), ('x') -- ${address}`);
const fromMailServer = () =>
  Object.assign(new Error(`550 ${address} is unknown`), { code: 'EENVELOPE', response: `550 ${address}` });

it.each([
  ['a broken answer', thrownBy(() => JSON.parse(`{"email":"${address}",`)), { name: 'SyntaxError' }],
  ['a row of the store', thrownBy(insertTwice), { name: 'SqliteError', code: 'SQLITE_CONSTRAINT_UNIQUE' }],
  ['a broken statement', thrownBy(() => new Database(':memory:').exec(address)), { code: 'SQLITE_ERROR' }],
  ['a mail server', fromMailServer(), { name: 'Error', code: 'EENVELOPE' }],
  ['a wrong URL', thrownBy(() => new URL(address)), { name: 'TypeError', code: 'ERR_INVALID_URL' }],
  ['a wrong field', thrownBy(() => z.literal(address).parse('x')), { name: 'ZodError' }],
  ['a name', Object.assign(new Error('x'), { name: address, code: address }), { name: 'Error' }],
  ['a stack', new Error(`x\n    at ${address} (file:1:1)`), { name: 'Error' }],
  [
    'a cause',
    new AppError('internal', { cause: fromMailServer() }),
    { cause: { name: 'Error', code: 'EENVELOPE' } },
  ],
])(
  'an error about %s keeps its name and code, and nothing that it quotes [storage-18]',
  (_, error, expected) => {
    const shown = safeError(error);
    expect(shown).toMatchObject(expected);
    expect(JSON.stringify(shown)).not.toContain(address);
  },
);

it('an error keeps the place where it was thrown', () => {
  expect(safeError(new Error('x')).stack).toMatch(/^ {4}at .*safe-error\.test\.ts:\d+:\d+/);
});

it('an error of our own keeps its message', () => {
  expect(safeError(new LoggableError('mail: EAUTH 535')).message).toBe('mail: EAUTH 535');
});

it('a thrown value that is no error is shown by its type', () => {
  expect(safeError(address)).toEqual({ name: 'string' });
});

it('an error that is its own cause is cut off after some causes', () => {
  const error = new Error('x');
  error.cause = error;
  expect(JSON.stringify(safeError(error)).match(/"name"/g)).toHaveLength(6);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'deskside-'));
const file = join(folder, 'service.sqlite');
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('openDatabase', () => {
  it('is durable, keeps foreign keys, and refuses a file of a newer version', () => {
    const db = openDatabase(file);
    const pragma = (name: string) => db.pragma(name, { simple: true });
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toStrictEqual([
      'wal',
      2,
      1,
    ]);
    db.pragma('user_version = 1000');
    db.close();
    expect(() => openDatabase(file)).toThrow('newer version');
  });
});

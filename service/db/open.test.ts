import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from './migrations.ts';
import { openDatabase } from './open.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskside-'));
  file = join(folder, 'service.sqlite');
});
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

  it('marks which tickets of an earlier version need an answer', () => {
    const earlier = new Database(file);
    earlier.exec(migrations[0]!);
    earlier.exec(`
      INSERT INTO workspaces (id, name, created_at) VALUES ('w', 'Acme', '1');
      INSERT INTO customers (id, workspace_id, email, email_folded, created_at) VALUES ('c', 'w', 'a@b', 'a@b', '1');
    `);
    const add = (
      number: number,
      status: string,
      updatedAt: string,
      messages: [author: string, at: string][],
    ) => {
      earlier
        .prepare(
          `INSERT INTO tickets (id, workspace_id, ticket_number, customer_id, subject, description, status, priority,
                                source, is_unread, created_at, updated_at)
           VALUES (?, 'w', ?, 'c', 's', 'd', ?, 'low', 'api', 0, '1', ?)`,
        )
        .run(`t${number}`, number, status, updatedAt);
      for (const [index, [author, at]] of messages.entries())
        earlier
          .prepare(
            `INSERT INTO messages (id, ticket_id, author_type, body, created_at) VALUES (?, ?, ?, 'x', ?)`,
          )
          .run(`m${number}-${index}`, `t${number}`, author, at);
    };
    add(1, 'new', '1', []);
    add(2, 'open', '2', [['agent', '2']]);
    add(3, 'solved', '3', [
      ['agent', '2'],
      ['customer', '3'],
    ]);
    add(4, 'solved', '4', [['customer', '3']]);
    add(5, 'closed', '2', []);
    earlier.pragma('user_version = 1');
    earlier.close();
    const db = openDatabase(file);
    const needing = db
      .prepare('SELECT ticket_number FROM tickets WHERE needs_answer = 1 ORDER BY 1')
      .pluck()
      .all();
    expect(needing).toStrictEqual([1, 3]);
    db.close();
  });
});

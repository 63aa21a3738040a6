import Database from 'better-sqlite3';
import { splitFooter } from '../tickets/footer.ts';
import { migrations } from './migrations.ts';

export type Db = Database.Database;

/**
 * Opens (and creates or migrates) the database; `:memory:` makes one that exists until it is closed.
 * Throws when a newer version of the service has written the file.
 */
export function openDatabase(file: string): Db {
  const db = new Database(file, { timeout: 5000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // LIKE folds only ASCII; agents search for "über" too.
  db.function('contains_folded', { deterministic: true }, (text: unknown, folded: unknown) =>
    typeof text === 'string' && text.toLowerCase().includes(String(folded)) ? 1 : 0,
  );
  db.function('contains_word', { deterministic: true }, (text: unknown, word: unknown) =>
    typeof text === 'string' &&
    text.toLowerCase().includes(String(word)) &&
    words(text).includes(String(word))
      ? 1
      : 0,
  );
  db.function('own_words', { deterministic: true }, (text: unknown) => splitFooter(String(text)).text);
  migrate(db);
  return db;
}

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function migrate(db: Db): void {
  const run = db.transaction(() => {
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > migrations.length) throw new Error(`the database is of a newer version (${version})`);
    for (const migration of migrations.slice(version)) db.exec(migration);
    db.pragma(`user_version = ${migrations.length}`);
  });
  run.immediate();
}

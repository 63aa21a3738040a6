import { randomUUID } from 'node:crypto';
import type { Db } from './db/open.ts';

/** Creates an empty workspace and answers its id; the name must be free. */
export function createWorkspace(db: Db, name: string, now: Date): string {
  const id = randomUUID();
  db.prepare('INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?)').run(
    id,
    name,
    now.toISOString(),
  );
  return id;
}

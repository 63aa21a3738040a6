import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import { hashSecret, newSecret } from '../secrets.ts';

export interface ApiKey {
  id: string;
  label: string;
  /** Last four characters, to distinguish keys. */
  hint: string;
  created_at: string;
  /** Exact to ten minutes. */
  last_used_at: string | null;
  revoked_at: string | null;
}

const usedPrecisionMs = 10 * 60_000;

/** Creates an active key. The returned value is the only copy: the database keeps its hash. */
export function createKey(db: Db, workspaceId: string, label: string, now: Date): string {
  const key = newSecret('dsk_');
  db.prepare(
    'INSERT INTO api_keys (id, workspace_id, label, hint, hash, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(randomUUID(), workspaceId, label, key.slice(-4), hashSecret(key), now.toISOString());
  return key;
}

/** The workspace that an active key opens; null for an unknown or revoked one. */
export function findWorkspaceByKey(db: Db, key: string, now: Date): string | null {
  const found = db
    .prepare<[string], { id: string; workspace_id: string; last_used_at: string | null }>(
      'SELECT id, workspace_id, last_used_at FROM api_keys WHERE hash = ? AND revoked_at IS NULL',
    )
    .get(hashSecret(key));
  if (!found) return null;
  // A write at every request would cost each read a disk sync.
  if (now.getTime() - Date.parse(found.last_used_at ?? '1970-01-01') > usedPrecisionMs)
    db.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?').run(now.toISOString(), found.id);
  return found.workspace_id;
}

/** Every key of the workspace, newest first, revoked ones too. */
export function listKeys(db: Db, workspaceId: string): ApiKey[] {
  return db
    .prepare<[string], ApiKey>(
      `SELECT id, label, hint, created_at, last_used_at, revoked_at FROM api_keys
       WHERE workspace_id = ? ORDER BY created_at DESC, rowid DESC`,
    )
    .all(workspaceId);
}

/** Revokes a key at once; does nothing when it is unknown or already revoked. */
export function revokeKey(db: Db, workspaceId: string, keyId: string, now: Date): void {
  db.prepare(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND workspace_id = ? AND revoked_at IS NULL',
  ).run(now.toISOString(), keyId, workspaceId);
}

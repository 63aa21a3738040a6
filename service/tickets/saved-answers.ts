import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';

/** A text that the agents of a workspace use again; `fill-answer.ts` says what its placeholders mean. */
export interface SavedAnswer {
  id: string;
  name: string;
  text: string;
}

/** The most that a workspace can have. */
export const savedAnswerLimit = 200;

export function listSavedAnswers(db: Db, workspaceId: string): SavedAnswer[] {
  return db
    .prepare<[string], SavedAnswer>(
      'SELECT id, name, text FROM saved_answers WHERE workspace_id = ? ORDER BY name COLLATE NOCASE, name',
    )
    .all(workspaceId);
}

/** Null when the workspace has no such answer. */
export function findSavedAnswer(db: Db, workspaceId: string, id: string): SavedAnswer | null {
  const found = db
    .prepare<[string, string], SavedAnswer>(
      'SELECT id, name, text FROM saved_answers WHERE workspace_id = ? AND id = ?',
    )
    .get(workspaceId, id);
  return found ?? null;
}

/**
 * Adds an answer, or replaces the one with `id`; null when done. The same answer added twice (a double click) is there
 * once.
 */
export function saveAnswer(
  db: Db,
  workspaceId: string,
  answer: { id: string | null; name: string; text: string },
): 'not_found' | 'name_taken' | 'full' | null {
  const save = db.transaction(() => {
    const { id, name, text } = answer;
    const all = listSavedAnswers(db, workspaceId);
    const sameName = all.find((each) => each.name === name && each.id !== id);
    if (sameName) return id === null && sameName.text === text ? null : 'name_taken';
    if (id === null) {
      if (all.length >= savedAnswerLimit) return 'full';
      db.prepare('INSERT INTO saved_answers (id, workspace_id, name, text) VALUES (?, ?, ?, ?)').run(
        randomUUID(),
        workspaceId,
        name,
        text,
      );
      return null;
    }
    const { changes } = db
      .prepare('UPDATE saved_answers SET name = ?, text = ? WHERE id = ? AND workspace_id = ?')
      .run(name, text, id, workspaceId);
    return changes > 0 ? null : 'not_found';
  });
  return save.immediate();
}

/** Does nothing when the workspace has no such answer. */
export function removeSavedAnswer(db: Db, workspaceId: string, id: string): void {
  db.prepare('DELETE FROM saved_answers WHERE id = ? AND workspace_id = ?').run(id, workspaceId);
}

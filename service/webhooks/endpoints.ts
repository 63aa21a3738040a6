import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import type { EventType } from './events.ts';

export interface Endpoint {
  id: string;
  url: string;
  /** False while paused: nothing is queued for it, and pending deliveries keep waiting. */
  is_active: boolean;
  events: EventType[];
  created_at: string;
}

type StoredEndpoint = Omit<Endpoint, 'is_active' | 'events'> & { is_active: number; events: string };

const maxUrlLength = 2000;

export type EndpointFault = 'no_http_address' | 'has_credentials' | 'no_event';

/** Why no endpoint can be created from this; null when one can. */
export function endpointFault(text: string, events: readonly EventType[]): EndpointFault | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || text.length > maxUrlLength)
    return 'no_http_address';
  if (url.username !== '' || url.password !== '') return 'has_credentials';
  return events.length === 0 ? 'no_event' : null;
}

/** Creates an active endpoint and returns its signing secret, which no page shows again. */
export function createEndpoint(
  db: Db,
  workspaceId: string,
  input: { url: string; events: readonly EventType[] },
  now: Date,
): string {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const create = db.transaction(() => {
    const id = randomUUID();
    db.prepare(
      'INSERT INTO webhook_endpoints (id, workspace_id, url, secret, created_at) VALUES (?, ?, ?, ?, ?)',
    ).run(id, workspaceId, input.url, secret, now.toISOString());
    const subscribe = db.prepare('INSERT INTO webhook_subscriptions (endpoint_id, event_type) VALUES (?, ?)');
    for (const event of input.events) subscribe.run(id, event);
  });
  create.immediate();
  return secret;
}

/** The workspace's endpoints, oldest first, without their secrets. */
export function listEndpoints(db: Db, workspaceId: string): Endpoint[] {
  return db
    .prepare<[string], StoredEndpoint>(
      `SELECT e.id, e.url, e.is_active, e.created_at, group_concat(s.event_type) AS events
       FROM webhook_endpoints e JOIN webhook_subscriptions s ON s.endpoint_id = e.id
       WHERE e.workspace_id = ? GROUP BY e.id ORDER BY e.created_at, e.rowid`,
    )
    .all(workspaceId)
    .map(toEndpoint);
}

function toEndpoint(stored: StoredEndpoint): Endpoint {
  return {
    ...stored,
    is_active: stored.is_active === 1,
    events: stored.events.split(',').sort() as EventType[],
  };
}

/** Pauses or resumes an endpoint; does nothing when the workspace has no endpoint with this id. */
export function setActive(db: Db, workspaceId: string, endpointId: string, isActive: boolean): void {
  db.prepare('UPDATE webhook_endpoints SET is_active = ? WHERE id = ? AND workspace_id = ?').run(
    isActive ? 1 : 0,
    endpointId,
    workspaceId,
  );
}

/** Deletes an endpoint and its pending deliveries; does nothing when the workspace has no endpoint with this id. */
export function deleteEndpoint(db: Db, workspaceId: string, endpointId: string): void {
  db.prepare('DELETE FROM webhook_endpoints WHERE id = ? AND workspace_id = ?').run(endpointId, workspaceId);
}

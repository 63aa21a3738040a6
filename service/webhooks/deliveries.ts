import type { Db } from '../db/open.ts';

/** A pending delivery that is due, with everything that sending needs. */
export interface DueDelivery {
  id: number;
  endpoint_id: string;
  url: string;
  secret: string;
  event_id: string;
  payload: string;
  attempt_count: number;
}

/** The result of one attempt: the answer's status, or the error when there was no answer. */
export interface AttemptResult {
  status: number | null;
  error: string | null;
}

/** One delivery as the desk shows it, with its latest attempt. */
export interface DeliveryReport {
  id: number;
  endpoint_id: string;
  event_type: string;
  created_at: string;
  state: 'pending' | 'delivered' | 'failed';
  attempt_count: number;
  next_attempt_at: string | null;
  attempts: { attempted_at: string; duration_ms: number; status: number | null; error: string | null }[];
}

/** Answered events are kept this long, for the desk. */
const keepMs = 30 * 24 * 60 * 60_000;

/** Ids of the active endpoints. */
export function activeEndpoints(db: Db): string[] {
  return db
    .prepare<[], { id: string }>('SELECT id FROM webhook_endpoints WHERE is_active = 1')
    .all()
    .map(({ id }) => id);
}

/** An endpoint's next due delivery, first attempts before retries; undefined when none is due. */
export function nextDelivery(db: Db, endpointId: string, now: Date): DueDelivery | undefined {
  return db
    .prepare<[string, string], DueDelivery>(
      `SELECT d.id, d.endpoint_id, e.url, e.secret, d.event_id, v.payload, d.attempt_count
       FROM webhook_deliveries d
       JOIN webhook_endpoints e ON e.id = d.endpoint_id
       JOIN webhook_events v ON v.id = d.event_id
       WHERE d.endpoint_id = ? AND d.state = 'pending' AND d.next_attempt_at <= ?
       ORDER BY d.attempt_count, d.id LIMIT 1`,
    )
    .get(endpointId, now.toISOString());
}

/** When the next delivery after `now` is due; null when none waits. */
export function nextDueAt(db: Db, now: Date): Date | null {
  const row = db
    .prepare<[string], { at: string }>(
      `SELECT d.next_attempt_at AS at FROM webhook_deliveries d
       CROSS JOIN webhook_endpoints e ON e.id = d.endpoint_id
       WHERE d.state = 'pending' AND d.next_attempt_at > ? AND e.is_active = 1
       ORDER BY d.next_attempt_at LIMIT 1`,
    )
    .get(now.toISOString());
  return row ? new Date(row.at) : null;
}

/**
 * Logs an attempt and settles the delivery: delivered on 2xx; failed when `retryMs` is null; else due again then.
 * 410 Gone fails it and pauses the endpoint, as Standard Webhooks requires.
 */
export function recordAttempt(
  db: Db,
  delivery: DueDelivery,
  result: AttemptResult,
  time: { startedAt: Date; now: Date; retryMs: number | null },
): void {
  const isDelivered = result.status !== null && result.status >= 200 && result.status < 300;
  const isGone = result.status === 410;
  const retryAt =
    isDelivered || isGone || time.retryMs === null ? null : new Date(time.now.getTime() + time.retryMs);
  const state = isDelivered ? 'delivered' : retryAt ? 'pending' : 'failed';
  const record = db.transaction(() => {
    const { changes } = db
      .prepare(
        `UPDATE webhook_deliveries SET state = ?, attempt_count = attempt_count + 1, next_attempt_at = ? WHERE id = ?`,
      )
      .run(state, retryAt?.toISOString() ?? null, delivery.id);
    // The endpoint was deleted while the attempt was in flight.
    if (changes === 0) return;
    db.prepare(
      'INSERT INTO webhook_attempts (delivery_id, attempted_at, duration_ms, status, error) VALUES (?, ?, ?, ?, ?)',
    ).run(
      delivery.id,
      time.startedAt.toISOString(),
      Math.max(0, time.now.getTime() - time.startedAt.getTime()),
      result.status,
      result.error,
    );
    if (isGone)
      db.prepare('UPDATE webhook_endpoints SET is_active = 0 WHERE id = ?').run(delivery.endpoint_id);
  });
  record.immediate();
}

/** The workspace's newest deliveries, newest first, each with its attempts. */
export function recentDeliveries(db: Db, workspaceId: string, limit: number): DeliveryReport[] {
  const deliveries = db
    .prepare<[string, number], Omit<DeliveryReport, 'attempts'>>(
      `SELECT d.id, d.endpoint_id, v.type AS event_type, v.created_at, d.state, d.attempt_count, d.next_attempt_at
       FROM webhook_deliveries d
       JOIN webhook_endpoints e ON e.id = d.endpoint_id
       JOIN webhook_events v ON v.id = d.event_id
       WHERE e.workspace_id = ? ORDER BY d.id DESC LIMIT ?`,
    )
    .all(workspaceId, limit);
  const attempts = db.prepare<[number], DeliveryReport['attempts'][number]>(
    'SELECT attempted_at, duration_ms, status, error FROM webhook_attempts WHERE delivery_id = ? ORDER BY id',
  );
  return deliveries.map((delivery) => Object.assign(delivery, { attempts: attempts.all(delivery.id) }));
}

/** Deletes events older than 30 days for which nothing waits. */
export function deleteOldEvents(db: Db, now: Date): void {
  db.prepare(
    `DELETE FROM webhook_events WHERE created_at < ? AND NOT EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id AND d.state = 'pending')`,
  ).run(new Date(now.getTime() - keepMs).toISOString());
}

import { randomUUID } from 'node:crypto';
import type { Extra } from '../../core/extra.ts';
import type { Part } from '../../core/part.ts';
import type { Core } from '../../core/wiring.ts';
import { createChangeLog } from './change-log.ts';
import { createFeed, keptMs } from './feed.ts';
import type { Listener } from './listener.ts';
import { applyChange } from './apply-change.ts';
import { createSharedReading } from './shared-reading.ts';
import { clusterSchema } from './tables.ts';

/** Lets several instances on one database work together. A store of one process alone needs none of it. */
export const cluster: Extra = {
  name: 'cluster',
  schema: clusterSchema,
  create: (core) => (core.instances ? createClusterPart(core, core.instances) : null),
};

export function createClusterPart(core: Core, { store, notifyUrl }: NonNullable<Core['instances']>) {
  const { readers, live, liveHere, declare, now, elapsed } = core;
  const onError = core.report('instances_not_told');
  const instance = randomUUID();
  const reading = createSharedReading(store, instance, elapsed, onError);
  Object.assign(readers, reading.readers);
  const changeLog = createChangeLog(store, instance, now);
  const feed = createFeed({
    changeLog,
    apply: applyChange(core, reading),
    onMissed: liveHere.restartAll,
    elapsed,
    onError,
  });
  let listener: Listener | undefined;

  return {
    instance,
    reading,
    onSendChanged: ({ id, subject_id: subjectId }) =>
      void feed.publish({ kind: 'operation', subjectId, about: id }),
    // The sender of a hint sends it again, here or to another instance, when it could not be published.
    onLiveChange: (change) => (change.kind === 'ticket' ? feed.append(change) : feed.publish(change)),
    chores: [(limit) => changeLog.removeBefore(now() - keptMs, limit)],
    async start() {
      await feed.start();
      await reading.start({ live, publish: feed.publish });
      if (notifyUrl === null) return;
      const { startListener } = await import('./listener.ts');
      const started = startListener(notifyUrl, feed.wake);
      listener = started;
      declare.gauge({
        name: 'deskside_instances_listening',
        help: 'Whether notifications of other instances arrive: 0 while their changes are only read four times a second.',
        collect() {
          this.set(Number(started.isListening()));
        },
      });
    },
    // The other instances take over its reads before the stop is complete.
    stop: reading.leave,
    async close() {
      await reading.leave();
      await listener?.stop();
      await feed.stop();
    },
  } satisfies Part & { instance: string; reading: typeof reading };
}

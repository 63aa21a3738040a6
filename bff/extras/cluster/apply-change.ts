import type { Core } from '../../core/wiring.ts';
import type { Change } from './change-log.ts';
import type { SharedReading } from './shared-reading.ts';

/** Applies a change that another instance has published to the streams and the waiting requests of this instance. */
export function applyChange({ liveHere: live, operations, worker }: Core, reading: SharedReading) {
  return async ({ kind, subjectId, about }: Change): Promise<void> => {
    switch (kind) {
      case 'operation': {
        const row = await operations.byId(about!);
        if (!row) return;
        worker.changedElsewhere(row);
        await live.operation(row);
        return;
      }
      case 'subject':
        return live.restart(subjectId!);
      case 'session':
        return live.endSession({ id: about!, subjectId: subjectId! });
      case 'sessions':
        return live.endSessions(subjectId!);
      case 'view':
        return live.refresh(subjectId!, about!);
      case 'ticket':
        return live.hint(about!);
      case 'found': {
        const end = about!.indexOf(' ');
        return live.found(about!.slice(end + 1), about!.slice(0, end));
      }
      case 'shards':
        // Other changes must not wait for it.
        void reading.renew();
    }
  };
}

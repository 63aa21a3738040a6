import type { Live } from '../../core/live/live.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import type { Operations } from '../../core/tickets/operations.ts';
import type { Change } from './change-log.ts';
import type { SharedReading } from './shared-reading.ts';

interface Here {
  live: Live;
  operations: Pick<Operations, 'byId'>;
  reading: Pick<SharedReading, 'renew'>;
  /** Called with each operation that another instance has changed. */
  onOperation: (row: OperationRow) => void;
}

/** Applies a change that another instance has published to the streams and the waiting requests of this instance. */
export function applyChange({ live, operations, reading, onOperation }: Here) {
  return async ({ kind, subjectId, about }: Change): Promise<void> => {
    switch (kind) {
      case 'operation': {
        const row = await operations.byId(about!);
        if (!row) return;
        onOperation(row);
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
      case 'moved':
        return live.moved(about!);
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

import type { CustomerData, Device } from '../../../shared/contract/customer-data.ts';
import type { Session as SessionView } from '../../../shared/contract/session.ts';
import { isoTime } from '../clock.ts';
import type { Removal } from '../tickets/removal.ts';
import { AppError } from '../errors.ts';
import type { Live } from '../live/live.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Subjects } from '../identity/subjects.ts';
import type { CustomerDataReader } from '../tickets/customer-data.ts';
import type { Transfers } from '../tickets/transfers.ts';
import type { Views } from '../tickets/views.ts';
import { sessionOf, type Visitor } from './visitor.ts';

/**
 * What visitors may do with their own stored data. Only the session tells whose data it is: no request names anybody.
 */
export function createOwnData(deps: {
  sessions: Pick<Sessions, 'devices' | 'endAll'>;
  subjects: Pick<Subjects, 'find'>;
  transfers: Pick<Transfers, 'decline'>;
  removal: Pick<Removal, 'removeSubject'>;
  data: Pick<CustomerDataReader, 'of'>;
  views: Pick<Views, 'session'>;
  live: Pick<Live, 'endSessions' | 'restart'>;
}) {
  const { sessions, subjects, transfers, removal, data, views, live } = deps;

  return {
    async export(visitor: Visitor): Promise<CustomerData> {
      return data.of(await subjects.find(sessionOf(visitor).subjectId));
    },

    /**
     * Deletes everything here. The ticket service keeps its data. All sessions end.
     * @throws {AppError} `operation_in_progress` while something is still to be delivered
     */
    async delete(visitor: Visitor): Promise<SessionView> {
      const { subjectId } = sessionOf(visitor);
      const { undelivered, colleagues = [] } = await removal.removeSubject(subjectId, 'keep');
      if (undelivered > 0) throw new AppError('operation_in_progress');
      await live.endSessions(subjectId);
      colleagues.forEach(live.restart);
      return views.session(null);
    },

    async devices(visitor: Visitor): Promise<Device[]> {
      const session = sessionOf(visitor);
      const devices = await sessions.devices(session.subjectId);
      return devices.map(({ id, createdAt, usedAt }) => ({
        created_at: isoTime(createdAt),
        last_used_at: isoTime(usedAt),
        current: id === session.id,
      }));
    },

    /** Signs the visitor out on all devices, this one too. */
    async signOutEverywhere(visitor: Visitor): Promise<SessionView> {
      const { subjectId } = sessionOf(visitor);
      await transfers.decline(visitor.tokenHash!);
      await sessions.endAll(subjectId);
      await live.endSessions(subjectId);
      return views.session(null);
    },
  };
}

export type OwnData = ReturnType<typeof createOwnData>;

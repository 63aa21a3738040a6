import { dateHeader, type Fault } from '../schedules/faults.ts';
import type { Schedule, Span } from '../schedules/schedule.ts';
import type { Time } from '../time/time.ts';

/** The events of a schedule that happen between the BFF and the service. */
export type Troubles = Pick<
  Schedule,
  'writes' | 'reads' | 'outages' | 'revocations' | 'dates' | 'datePhases'
>;

/** Returns the fault at each moment of a schedule that begins now. After `calm` there is none. */
export function followTroubles(schedule: Troubles, time: Time, onFault: (name: string) => void) {
  const startedAt = time.now();
  const attempts = new Map<string, number>();
  let dates = 0;
  let isCalm = false;

  const isDuring = ({ fromMs, toMs }: Span) => {
    const sinceMs = time.now() - startedAt;
    return !isCalm && sinceMs >= fromMs && sinceMs < toMs;
  };

  return {
    startedAt,
    isDuring,
    isRevoked: (key: number) => schedule.revocations.some((span) => span.key === key && isDuring(span)),
    nextDate(): string | null {
      const single = schedule.dates[dates++] ?? null;
      const wrong = isCalm ? null : (schedule.datePhases.find(isDuring)?.date ?? single);
      if (wrong) onFault(`Date ${wrong}`);
      return dateHeader(time.now(), wrong);
    },
    nextFault({ isWrite, name }: { isWrite: boolean; name: string }): Fault | null {
      const attempt = attempts.get(name) ?? 0;
      attempts.set(name, attempt + 1);
      if (isCalm) return null;
      return (isWrite ? schedule.writes.get(name)?.[attempt] : schedule.reads[attempt]) ?? null;
    },
    calm(): void {
      isCalm = true;
    },
  };
}

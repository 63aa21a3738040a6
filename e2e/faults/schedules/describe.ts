import { type Fault, nameOf, nameOfJump } from './faults.ts';
import type { Send } from './plan.ts';
import type { Schedule, Span } from './schedule.ts';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const describeSpan = ({ fromMs, toMs }: Span) => `${seconds(fromMs)} to ${seconds(toMs)}`;
function describeFaults(faults: readonly (Fault | null)[]): string {
  const each = faults.map((fault) => {
    if (!fault) return 'passes';
    return fault.commit === 'late' ? `${nameOf(fault)} (${seconds(fault.lateMs)})` : nameOf(fault);
  });
  return each.join(' | ');
}

function describeSend({ text, posting, pauseMs, sendsAgain }: Send): string {
  return `${JSON.stringify(text)} after ${seconds(pauseMs)}, ${posting}${sendsAgain ? ', sends again' : ''}`;
}

/** For readers of a failed run: one line for each send and for each list of faults. */
export function describeSchedule(schedule: Schedule): string {
  const { seed, hasFooter, customers, writes, reads, outages, revocations, failpoints, dates } = schedule;
  return [
    `seed ${seed}, footer ${hasFooter ? 'on' : 'off'}`,
    ...customers.flatMap(({ email, tickets }) =>
      tickets.flatMap((ticket) => [
        `${email} opens ${JSON.stringify(ticket.subject)}: ${describeSend(ticket)}`,
        ...ticket.replies.map(
          (reply) =>
            `    replies${reply.looksFirst ? ' after a look' : ''}${reply.isEager ? ', waiting or not' : ''}: ${describeSend(reply)}`,
        ),
      ]),
    ),
    ...[...writes]
      .filter(([, faults]) => faults.some(Boolean))
      .map(([name, faults]) => `fault: ${name}: ${describeFaults(faults)}`),
    `reads: ${describeFaults(reads)}`,
    ...outages.map((span) => `outage: ${describeSpan(span)}`),
    ...revocations.map((span) => `key ${span.key} refused: ${describeSpan(span)}`),
    ...(failpoints.length > 0 ? [`failpoints: ${failpoints.join(', ')}`] : []),
    ...(dates.length > 0 ? [`dates: ${dates.map((date) => date ?? 'right').join(' | ')}`] : []),
    ...schedule.datePhases.map((span) => `every date ${span.date}: ${describeSpan(span)}`),
    ...schedule.clockShifts.map((span) => `${nameOfJump(span.byMs)}: ${describeSpan(span)}`),
  ].join('\n');
}

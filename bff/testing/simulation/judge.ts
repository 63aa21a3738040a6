import type { OperationRow } from '../../core/store/schema.ts';
import { cutFooter } from '../../core/tickets/footer.ts';
import type { Send } from './customers.ts';
import type { Evidence } from './world.ts';

interface Judged {
  send: Send;
  row: OperationRow;
}

/** Sends that the service can tell apart only by the additions of the BFF. */
const groupOf = ({ send }: Pick<Judged, 'send'>) =>
  `${send.opening ? 'reply' : 'ticket'} "${send.text}" of ${send.customer.email}`;

const storedOf = ({ send }: Judged, { stored }: Evidence): string[] =>
  send.opening
    ? stored.flatMap(({ messages }) => messages.filter(({ body }) => body === send.text).map(({ id }) => id))
    : stored
        .filter((ticket) => !ticket.isForeign && cutFooter(ticket.description) === send.text)
        .filter(({ email }) => email === send.customer.email)
        .map(({ id }) => id);

/** Sends of which the ledger knows nothing, since the store was set back. */
const lostOf = ({ rows, sends }: Evidence): Send[] =>
  sends.filter(({ key }) => !rows.some((row) => row.key === key));

const judgedOf = ({ rows, sends }: Evidence): Judged[] =>
  rows.map((row) => ({ row, send: sends.find(({ key }) => key === row.key)! }));

/** How many copies the service may have, because the ledger could not know of one or its customer decided so. */
const copiesOf = ({ row, send }: Judged) =>
  (row.state === 'accepted' || row.state === 'rejected' ? 0 : 1) + send.risks;

function counts(evidence: Evidence): string[] {
  const judged = judgedOf(evidence);
  return [...new Set(judged.map(groupOf))].flatMap((name) => {
    const group = judged.filter((each) => groupOf(each) === name);
    const ids = storedOf(group[0]!, evidence);
    const done = group.filter(({ row }) => row.state === 'done').map(({ row }) => row.upstream_id!);
    const lost = lostOf(evidence).filter((send) => groupOf({ send }) === name);
    const most =
      group.reduce((sum, each) => sum + copiesOf(each), 0) + lost.reduce((sum, { risks }) => sum + risks, 0);
    const states = group.map(({ row }) => row.state).join(', ');
    const violations: string[] = [];
    if (ids.length > most) violations.push(`duplicated: ${ids.length} of ${name}: ${states}`);
    if (new Set(done).size < done.length) violations.push(`one id for two: ${name}`);
    if (!done.every((id) => ids.includes(id))) violations.push(`told sent, not there: ${name}`);
    return violations;
  });
}

/** The texts that the service may have, and that the ledger has forgotten since the store was set back. */
const forgottenTexts = ({ sends }: Evidence) =>
  new Set(sends.filter((send) => send.isForgotten).map(({ text }) => text));

/** Messages in a ticket that nobody sent to it. */
function strangers(evidence: Evidence): string[] {
  const judged = judgedOf(evidence);
  const forgotten = forgottenTexts(evidence);
  return evidence.stored.flatMap((ticket) =>
    ticket.messages
      .filter(({ body }) => !forgotten.has(body))
      .filter(
        ({ body }) => !judged.some(({ row, send }) => row.ticket_id === ticket.id && send.text === body),
      )
      .map(({ body }) => `in a wrong ticket: ${body}`),
  );
}

/** Equal replies may change places: a reply has no ref, and a customer sees no difference. */
function order(evidence: Evidence): string[] {
  const forgotten = forgottenTexts(evidence);
  return evidence.stored.flatMap(({ id, messages }) => {
    const told = judgedOf(evidence)
      .filter(({ row, send }) => row.kind === 'message' && row.ticket_id === id && !send.mayBeLate)
      .filter(({ row, send }) => row.state === 'done' && !forgotten.has(send.text))
      .map(({ row, send }) => ({
        text: send.text,
        place: messages.findIndex((message) => message.id === row.upstream_id),
      }));
    const there = told.toSorted((one, other) => one.place - other.place);
    const isInOrder = there.every(({ text }, nth) => text === told[nth]!.text);
    return isInOrder ? [] : [`out of order: ${told.map(({ place }) => place).join(', ')}`];
  });
}

/** Violations of rules that must hold after every failure, one line each. */
export const breaches = (evidence: Evidence): string[] => [
  ...evidence.wrong,
  ...counts(evidence),
  ...strangers(evidence),
  ...order(evidence),
];

/** Sends that have not ended by themselves, and sends with more or fewer copies at the service than reported. */
export function unfinished(evidence: Evidence): string[] {
  const judged = judgedOf(evidence);
  const open = judged
    .filter(({ row }) => row.state !== 'done' && row.state !== 'rejected')
    .map((each) => `not ended: ${groupOf(each)}: ${each.row.state}, due ${each.row.due_at}`);
  const miscounted = [...new Set(judged.map(groupOf))].flatMap((name) => {
    const group = judged.filter((each) => groupOf(each) === name);
    const done = group.filter(({ row }) => row.state === 'done').length;
    const there = storedOf(group[0]!, evidence).length;
    return done === there ? [] : [`${done} told sent, ${there} there: ${name}`];
  });
  return [...open, ...miscounted];
}

/** A ticket and what its customer has answered by mail, in this order. */
export interface AnsweredTicket {
  ticketId: string;
  email: string;
  answers: readonly string[];
}

interface Delivered {
  id: string;
  /** Of the customer, in their order. */
  bodies: readonly string[];
}

/**
 * Checks that the tickets of the service have each answer once, in order, and nothing else of a customer, and that each
 * customer got one mail. `mails`: what was sent, with its Message-ID, under which a mail may come twice.
 */
export function judgeAnswers(
  asked: readonly AnsweredTicket[],
  delivered: readonly Delivered[],
  mails: readonly { to: string; id: string }[],
): string[] {
  const bodiesOf = new Map(delivered.map(({ id, bodies }) => [id, bodies]));
  const wrong: string[] = [];
  for (const { ticketId, email, answers } of asked) {
    const bodies = bodiesOf.get(ticketId) ?? [];
    const found = bodies.map((body) => answers.find((answer) => body.startsWith(answer)) ?? null);
    for (const answer of answers) {
      const times = found.filter((each) => each === answer).length;
      if (times === 0) wrong.push(`lost: “${answer}” of ${email}`);
      if (times > 1) wrong.push(`duplicated: “${answer}” of ${email}, ${times} times`);
    }
    const strange = bodies.filter((_, nth) => found[nth] === null);
    wrong.push(...strange.map((body) => `strange: ${body.slice(0, 200)}`));
    const inOrder = answers.filter((answer) => found.includes(answer));
    const once = [...new Set(found.filter((each) => each !== null))];
    if (once.join('\n') !== inOrder.join('\n')) wrong.push(`out of order: ${once.join(' ')} of ${email}`);
    const mailed = new Set(mails.filter(({ to }) => to === email).map(({ id }) => id));
    if (mailed.size !== 1) wrong.push(`${mailed.size} mails to ${email}`);
  }
  if (delivered.length > asked.length) wrong.push(`strange: ${delivered.length - asked.length} more tickets`);
  return wrong;
}

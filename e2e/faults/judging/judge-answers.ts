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
 * Checks that the tickets of the service have each answer once, in order, and nothing else of a customer. `mailedTo`:
 * all addresses that mails went to.
 */
export function judgeAnswers(
  asked: readonly AnsweredTicket[],
  delivered: readonly Delivered[],
  mailedTo: readonly string[],
): string[] {
  const bodiesOf = new Map(delivered.map(({ id, bodies }) => [id, bodies]));
  const emails = new Set(asked.map(({ email }) => email));
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
  }
  const ids = new Set(asked.map(({ ticketId }) => ticketId));
  const others = delivered.filter(({ id }) => !ids.has(id));
  if (others.length > 0) wrong.push(`strange: ${others.length} more tickets`);
  const strangers = new Set(mailedTo.filter((to) => !emails.has(to)));
  wrong.push(...[...strangers].map((to) => `answered by us: ${to}`));
  return wrong;
}

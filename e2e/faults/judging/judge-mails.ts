import { type ReadMail, readMail } from '../../../scripts/read-mail.ts';

/** The actions of a customer, by which the mails to the customer are judged. */
export interface MailedCustomer {
  email: string;
  isProven: boolean;
  /** When the BFF had confirmed that the answer was read, Unix milliseconds; null: it was not read. */
  readAt: number | null;
  /** Ended the mails before the answer. */
  isSilent: boolean;
  /** What the agent wrote. */
  answer: string;
}

interface TakenMail {
  to: string[];
  text: string;
  /** Unix milliseconds. */
  at: number;
}

/**
 * A break explains a repeated mail only if it is recorded at most this long before or after the first copy was
 * accepted.
 */
const windowMs = 5_000;
/** A mail that was on its way while its answer was read. */
const onItsWayMs = 1_000;

/**
 * Checks that each customer got the expected mails, each once. `breaks`: when processes died or connections were cut,
 * Unix milliseconds. Only around one of these a mail may come twice, and once more for each of the `unanswered` mails:
 * the BFF did not get the mail server's answer in time.
 */
export async function judgeMails(
  customers: readonly MailedCustomer[],
  taken: readonly TakenMail[],
  breaks: readonly number[],
  unanswered: number,
): Promise<{ wrong: string[]; repeats: number }> {
  const wrong: string[] = [];
  const unexplained: string[] = [];
  let repeats = 0;

  function judgeCopies(what: string, mails: readonly (ReadMail & { at: number })[]): void {
    if (new Set(mails.map((mail) => mail.header('Message-ID'))).size > 1) wrong.push(`${what}: two mails`);
    mails.slice(1).forEach((copy, nth) => {
      repeats += 1;
      const { at } = mails[nth]!;
      const hasBreak = breaks.some((time) => time > at - windowMs && time < Math.min(copy.at, at + windowMs));
      if (!hasBreak) unexplained.push(`${what}: repeated for no reason`);
    });
  }

  for (const { email, isProven, readAt, isSilent, answer } of customers) {
    const hers = taken.filter(({ to }) => to[0] === email);
    const mails = await Promise.all(hers.map(async (mail) => ({ ...(await readMail(mail)), at: mail.at })));
    const answers = mails.filter((mail) => mail.header('References') !== undefined);
    const confirmations = mails.filter((mail) => !answers.includes(mail));
    if (confirmations.length === 0) wrong.push(`${email}: no confirmation`);
    judgeCopies(`confirmation to ${email}`, confirmations);
    judgeCopies(`answer to ${email}`, answers);
    const isWanted = readAt === null && !isSilent;
    const tooMany = answers.filter(({ at }) => isSilent || (readAt !== null && at > readAt + onItsWayMs));
    if (isWanted ? answers.length === 0 : tooMany.length > 0)
      wrong.push(`${email}: ${answers.length} mails, wanted ${isWanted}`);
    if (answers.some(({ all }) => all.includes(answer) !== isProven))
      wrong.push(`${email}: the text is there, or missing`);
    if (!isProven && mails.some(({ all }) => all.includes('Words of')))
      wrong.push(`${email}: words of the customer`);
  }
  if (unexplained.length > unanswered) wrong.push(...unexplained);
  return { wrong, repeats };
}

import type { AcceptedFiles } from '../../../shared/contract/accepted.ts';
import { maxLength } from '../../../shared/contract/limits.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Worker } from '../delivery/worker.ts';
import { AppError } from '../errors.ts';
import type { Subjects } from '../identity/subjects.ts';
import { canonical, cut, oneLine } from '../text/canonical.ts';
import { mailLine, type MailedBy, mailSession } from '../tickets/by-mail.ts';
import { leavesRoom, leavesRoomInReply } from '../tickets/footer.ts';
import type { Grants } from '../tickets/grants.ts';
import type { Operations } from '../tickets/operations.ts';
import type { TicketHook } from './tickets.ts';

/*
 * Records what was written elsewhere than on a page, for a customer without a session. Whoever calls it has checked who wrote
 * it and counted it against the limits. It knows no mail.
 */

/** A file that came with a text. */
export interface ReceivedFile {
  name: string;
  type: string;
  content: Uint8Array;
}

export interface Received {
  /** Names the send: it is recorded once, whatever it contains the next time. */
  key: string;
  text: string;
  files: readonly ReceivedFile[];
  by: MailedBy;
}

/** Files of a received text that were kept, and the names of those that were not. */
export interface StoredFiles {
  ids: string[];
  refused: string[];
}

/** A part of the BFF that keeps files. */
export interface ReceivedHook {
  /**
   * Keeps files that came with a received text, as if this subject had uploaded them. `key`: of the send. Files of a key
   * that was given before are kept once.
   */
  storeFiles?(files: readonly ReceivedFile[], subjectId: string, key: string): Promise<StoredFiles>;
}

const cutMark = '\n\n[…]';
/** The whole of a text that is too long. */
const wholeName = 'message.txt';
const maxRefusedLine = 500;

export function createReceived(deps: {
  grants: Pick<Grants, 'find'>;
  operations: Pick<Operations, 'isKnown'>;
  subjects: Pick<Subjects, 'create' | 'find'>;
  delivery: Pick<Delivery, 'acceptReply' | 'acceptTicket'>;
  worker: Pick<Worker, 'poll'>;
  parts: readonly (TicketHook & ReceivedHook)[];
}) {
  const { grants, operations, subjects, delivery, worker, parts } = deps;

  async function storeFiles(subjectId: string, key: string, files: readonly ReceivedFile[]) {
    const store = parts.find((part) => part.storeFiles)?.storeFiles;
    const { ids, refused }: StoredFiles = store
      ? await store(files, subjectId, key)
      : { ids: [], refused: files.map(({ name }) => name) };
    const accept = parts.find((part) => part.acceptFiles)?.acceptFiles;
    const accepted = ids.length > 0 ? await accept!(ids, subjectId) : undefined;
    return { accepted, refused };
  }

  /**
   * The text as it can be sent, with lines below it that say who wrote it, and what is missing. Of a text that is too long, the
   * whole is a file.
   */
  async function prepare(
    subjectId: string,
    { key, text, files, by }: Received,
    fits: (text: string, lines: readonly string[]) => boolean,
  ): Promise<{ text: string; mail: string[]; files?: AcceptedFiles }> {
    // The rest of a very long one is only kept in the file, since the canonical form of it takes long.
    const isLong = text.length > 2 * maxLength.body;
    const whole = canonical(isLong ? cut(text, 2 * maxLength.body) : text);
    const first = mailLine(by);
    const isTooLong = isLong || !fits(whole, [first]);
    const given = isTooLong
      ? [{ name: wholeName, type: 'text/plain', content: Buffer.from(isLong ? text : whole) }, ...files]
      : files;
    const { accepted, refused } = await storeFiles(subjectId, key, given);
    const missing = oneLine(`Files of the mail that were not taken: ${refused.join(', ')}`);
    const mail = refused.length > 0 ? [first, cut(missing, maxRefusedLine)] : [first];
    const lines = [...mail, ...(accepted?.lines ?? [])];
    let sent = isLong ? whole + cutMark : whole;
    let length = Math.min(whole.length, maxLength.body);
    for (; length > 0 && !fits(sent, lines); length = Math.floor(length * 0.95))
      sent = canonical(cut(whole, length)) + cutMark;
    return { text: sent || (accepted ? '' : '…'), mail, ...(accepted && { files: accepted }) };
  }

  return {
    /**
     * Records a reply of this holder of a ticket.
     * @throws {AppError} `not_found` when they do not hold it as their own
     */
    async reply(holder: { subjectId: string; ticketId: string }, received: Received): Promise<void> {
      if (await operations.isKnown(received.key)) return;
      const { subjectId, ticketId } = holder;
      const grant = await grants.find(subjectId, ticketId);
      if (!grant || grant.isColleague) throw new AppError('not_found');
      const { text: body, ...more } = await prepare(subjectId, received, leavesRoomInReply);
      const session = { id: mailSession[grant.isTrusted ? 'shown' : 'withheld'], subjectId, expiresAt: 0 };
      await delivery.acceptReply(session, { ticketId }, received.key, { body, ...more });
      worker.poll();
    },

    /** Records a ticket of somebody who has proven nothing. They get mails about it, where there are any. */
    async open(
      { email, name, subject, language }: { email: string; name: string; subject: string; language: string },
      received: Received,
    ): Promise<void> {
      if (await operations.isKnown(received.key)) return;
      const contact = { email, name: cut(oneLine(name), maxLength.customer_name) || null };
      const opener = await subjects.find(await subjects.create(contact));
      const { text: description, ...more } = await prepare(opener.id, received, leavesRoom);
      const session = { id: mailSession.shown, subjectId: opener.id, expiresAt: 0 };
      await delivery.acceptTicket({ session, subject: opener }, false, received.key, {
        subject: cut(oneLine(subject), maxLength.subject) || '…',
        description: description || '…',
        customer_email: email,
        ...(contact.name && { customer_name: contact.name }),
        ...(parts.some(({ wantsNotify }) => wantsNotify) && { notify: true, language }),
        ...more,
      });
      worker.poll();
    },
  };
}

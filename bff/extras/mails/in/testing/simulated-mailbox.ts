import { type SimulatedTime, startMs } from '../../../../testing/simulation/time.ts';
import type { Process } from '../../../../testing/simulation/process.ts';

/* A mailbox in simulated time, and `imapflow` as far as the BFF uses it. */

/** What happens to a command, after `skip` others. `lost`: it is executed, and the connection ends before the answer. */
export interface MailboxFault {
  how: 'closed' | 'lost' | 'refused' | 'login' | 'folder';
  skip: number;
}

/** What a command fails with. */
export class MailboxError extends Error {}
const failure = (fields: object) => Object.assign(new MailboxError('the mailbox'), fields);

interface StoredMail {
  uid: number;
  raw: Buffer;
  at: Date;
  flags: Set<string>;
}

export function createMailbox(time: SimulatedTime, { keepsMarks }: { keepsMarks: boolean }) {
  const mails: StoredMail[] = [];
  const faults: MailboxFault[] = [];
  const clients = new Set<Client>();
  const processes = new Map<string, Process>();
  let uidValidity = 1n;
  let uidNext = 1;

  class Client {
    usable = true;
    mailbox: object = {};
    capabilities = new Map();
    private readonly process: Process;
    private readonly listeners: (() => void)[] = [];

    /** The password tells which process connects. */
    constructor({ auth }: { auth: { pass: string } }) {
      this.process = processes.get(auth.pass)!;
    }

    on(_event: string, listener: () => void) {
      this.listeners.push(listener);
      return this;
    }
    tell(): void {
      if (!this.process.isDead()) for (const listener of this.listeners) listener();
    }
    close(): void {
      if (!this.usable) return;
      this.usable = false;
      clients.delete(this);
      this.tell();
    }

    /** @param refused what `imapflow` returns where the server refuses the command; without, it throws */
    private async command<Result>(execute: () => Result, refused?: false): Promise<Result> {
      const closed = failure({ code: 'EConnectionClosed' });
      if (!this.usable) throw closed;
      const fault = faults[0] && faults[0].skip-- > 0 ? undefined : faults.shift()?.how;
      if (fault === 'login') throw failure({ authenticationFailed: true });
      if (fault === 'folder') throw failure({ mailboxMissing: true });
      if (fault === 'refused') {
        if (refused === undefined) throw failure({ responseStatus: 'NO' });
        return refused as Result;
      }
      if (fault === 'closed') this.close();
      const result = await this.process.away('mail', async () => (this.usable ? execute() : null))();
      if (fault === 'lost') this.close();
      if (!this.usable) throw closed;
      return result as Result;
    }

    connect = () => this.command(() => clients.add(this));
    noop = () => this.command(() => {});
    mailboxOpen = () =>
      this.command(() => {
        const permanentFlags = new Set(keepsMarks ? ['\\*'] : []);
        return (this.mailbox = { uidValidity, uidNext, exists: mails.length, permanentFlags });
      });
    search = ({ uid, since, unKeyword }: { uid?: string; since?: Date; unKeyword?: string }) =>
      this.command(
        () =>
          mails
            .filter(
              (mail) => uid === undefined || mail.uid >= Number.parseInt(uid, 10) || mail === mails.at(-1),
            )
            .filter((mail) => since === undefined || mail.at >= since)
            .filter(({ flags }) => unKeyword === undefined || !flags.has(unKeyword))
            .map((mail) => mail.uid),
        false,
      );
    fetchAll = (uids: number[]) =>
      this.command(() =>
        mails.filter(({ uid }) => uids.includes(uid)).map(({ uid, at }) => ({ uid, internalDate: at })),
      );
    fetchOne = (uid: string, { source }: { source?: { start: number; maxLength: number } }) =>
      this.command(() => {
        const mail = mails.find((each) => String(each.uid) === uid);
        if (!mail) return false;
        const { raw, at } = mail;
        return {
          uid: mail.uid,
          size: raw.length,
          internalDate: at,
          source: source && Buffer.from(raw.subarray(source.start, source.start + source.maxLength)),
        };
      }).catch((error: unknown) => {
        // `imapflow` returns nothing then, as for a mail that is not there.
        if (this.usable) throw error;
        return false as const;
      });
    messageFlagsAdd = (uid: string, flags: string[]) =>
      this.command(() => {
        const mail = mails.find((each) => String(each.uid) === uid);
        for (const flag of flags) if (keepsMarks || flag.startsWith('\\')) mail?.flags.add(flag);
      }, false);
  }

  return {
    Client,
    processes,
    fault: (fault: MailboxFault) => void faults.push({ ...fault }),
    heal: () => void (faults.length = 0),
    arrive(raw: Buffer): void {
      mails.push({ uid: uidNext, raw, at: new Date(startMs + time.now()), flags: new Set() });
      uidNext += 1;
      for (const client of clients) client.tell();
    },
    /** The server gives all mails new UIDs. */
    renumber(): void {
      uidValidity += 1n;
      uidNext = 1;
      for (const mail of mails) mail.uid = uidNext++;
      for (const client of clients) client.close();
    },
  };
}

declare const __FAILPOINTS__: boolean | undefined;

/** The steps of a send, of a mail, or of an upload at which the fault bench ends the process. */
export type Failpoint =
  /** Nothing is in the ledger yet. */
  | 'accepting'
  /** Committed. A send that was leased in the same write passes `sending` first. */
  | 'accepted'
  /** Committed as being sent, no byte has left. */
  | 'sending'
  /** The service has answered, and this is not recorded yet. */
  | 'answered'
  /** The outcome is committed, and not published yet. */
  | 'recorded'
  /** The mail server has accepted a mail about a ticket, and this is not recorded yet. */
  | 'mailed'
  /** The store has a mail that came in, and the mailbox does not know it yet. */
  | 'mail_taken'
  /** A send was made of a mail that came in, and this is not recorded of the mail yet. */
  | 'mail_recorded'
  /** A send in doubt was looked up; the result is not recorded yet. */
  | 'looked'
  | 'settled'
  /** All bytes of an upload are there, and none is in the store of files yet. */
  | 'arrived'
  /** The store of files has it, and its row does not say so yet. */
  | 'kept'
  /** Its row says so, and its customer was not told yet. */
  | 'uploaded';

const hits = new Map<Failpoint, number>();

/**
 * Ends the process, as a power cut would, when `FAILPOINT=name:n` names this step and its n-th passing. Exists only in
 * the fault bench's build; any other build leaves out the body.
 */
export function failpoint(name: Failpoint): void {
  if (typeof __FAILPOINTS__ === 'undefined' || !__FAILPOINTS__) return;
  const count = (hits.get(name) ?? 0) + 1;
  hits.set(name, count);
  if (process.env['FAILPOINT'] === `${name}:${count}`) process.kill(process.pid, 'SIGKILL');
}

import { AppError } from '../errors.ts';
import { isNear, type Limits, type Spend } from '../limits/limits.ts';
import type { Proof } from '../limits/proof.ts';
import { sessionOf, type Visitor } from './visitor.ts';

/** What was taken of the limits. */
export interface Counted {
  /** For a request that failed without the visitor's doing. */
  giveBack: () => Promise<void>;
  /** For one that was recorded before; all of it, unless given. */
  giveBackForRepeat?: () => Promise<void>;
}

/** Who may send now: limits, and a proof of work for suspicious requests. `hasCodes`: codes are mailed here. */
export function createAdmission(deps: { limits: Limits; proof: Proof; hasCodes: boolean }) {
  const { limits, proof, hasCodes } = deps;

  async function take(visitor: Visitor, spends: readonly Spend[]): Promise<Counted> {
    visitor.onLimits(await limits.take(spends));
    return { giveBack: () => limits.giveBack(spends) };
  }

  /** A ticket of a browser without a session, also when it is a repeat: the answer may bring a new session. */
  const newSession = ({ address }: Visitor): Spend => ({ policy: 'sessions-ip', key: address });

  return {
    take,

    /**
     * A new ticket. `mailboxHash`: of the address that it goes under; `isTrapped`: a field was filled in that no
     * customer sees. Others can use up an address that the visitor has not proven: then a proof of work lets the
     * ticket through, or, where very many tickets went under that address, a code.
     * @throws {AppError} `rate_limited`, `email_unverified`, or `proof_required` with a challenge
     */
    async ticket(visitor: Visitor, mailboxHash: string, isTrapped: boolean): Promise<Counted> {
      const { session, subject, address } = visitor;
      const ofSession: Spend = session
        ? { policy: 'tickets-session', key: session.subjectId }
        : newSession(visitor);
      const own: Spend[] = [{ policy: 'tickets-ip', key: address }, ofSession];
      const ofAddress: Spend = { policy: 'tickets-address', key: mailboxHash };
      const unproven: Spend[] = subject?.isVerified
        ? []
        : [ofAddress, { policy: 'tickets-address-network', key: `${mailboxHash} ${address}` }];
      const taken = await limits.takeFree(own, unproven);
      const over = taken.usedUp.map(({ spend }) => spend);
      const spends = [...own, ...unproven.filter((spend) => !over.includes(spend))];
      const giveBack = () => limits.giveBack(spends);
      try {
        if (hasCodes && over.includes(ofAddress)) throw new AppError('email_unverified');
        const isSuspect = isTrapped || over.length > 0 || isNear(taken.shown);
        const isAsked = proof.isAsked(isSuspect);
        if (isAsked && !(await proof.check(visitor.proof)))
          throw new AppError('proof_required', { challenge: await proof.challenge() });
        if (!isAsked && over.length > 0) throw limits.refusal(taken);
      } catch (refusal) {
        await giveBack();
        throw refusal;
      }
      visitor.onLimits(taken.shown);
      return {
        giveBack,
        ...(!session && {
          giveBackForRepeat: () => limits.giveBack(spends.filter((spend) => spend !== ofSession)),
        }),
      };
    },

    /** A ticket that was recorded before. */
    async repeatedTicket(visitor: Visitor): Promise<void> {
      if (!visitor.session) await take(visitor, [newSession(visitor)]);
    },

    message: (visitor: Visitor) =>
      take(visitor, [{ policy: 'messages-session', key: sessionOf(visitor).subjectId }]),
  };
}

export type Admission = ReturnType<typeof createAdmission>;

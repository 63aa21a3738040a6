import { AppError } from '../errors.ts';
import { isNear, type Limits, type Spend } from '../limits/limits.ts';
import type { Proof } from '../limits/proof.ts';
import type { Subject } from '../session/subjects.ts';
import { sessionOf, type Visitor } from './visitor.ts';

/** Who may send now: limits, and a proof of work for suspicious requests. `hasCodes`: codes are mailed here. */
export function createAdmission(deps: { limits: Limits; proof: Proof; hasCodes: boolean }) {
  const { limits, proof, hasCodes } = deps;

  /** Returns the function that gives back what was taken, for a request that failed without the visitor's doing. */
  async function take(visitor: Visitor, spends: readonly Spend[]): Promise<() => Promise<void>> {
    visitor.onLimits(await limits.take(spends));
    return () => limits.giveBack(spends);
  }

  return {
    take,

    /**
     * A new ticket. `mailboxHash`: of the address that it goes under; `isTrapped`: a field was filled in that no
     * customer sees. Others can use up an address that the visitor has not proven: then a proof of work lets the
     * ticket through, or, where very many tickets went under that address, a code.
     * @throws {AppError} `rate_limited`, `email_unverified`, or `proof_required` with a challenge
     */
    async ticket(visitor: Visitor, subject: Subject | null, mailboxHash: string, isTrapped: boolean) {
      const { session, address } = visitor;
      const own: Spend[] = [
        { policy: 'tickets-ip', key: address },
        session
          ? { policy: 'tickets-session', key: session.subjectId }
          : { policy: 'sessions-ip', key: address },
      ];
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
      return giveBack;
    },

    message: (visitor: Visitor) =>
      take(visitor, [{ policy: 'messages-session', key: sessionOf(visitor).subjectId }]),
  };
}

export type Admission = ReturnType<typeof createAdmission>;

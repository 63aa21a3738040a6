import { AppError } from '../errors.ts';
import type { Limits, Spend } from '../limits/limits.ts';
import type { Proof } from '../limits/proof.ts';
import type { Subject } from '../session/subjects.ts';
import { sessionOf, type Visitor } from './visitor.ts';

/** Who may send now: limits, and a proof of work for what looks like one of many. */
export function createAdmission({ limits, proof }: { limits: Limits; proof: Proof }) {
  /** Answers the way to give back what was taken, for what came to nothing through no fault of the visitor. */
  async function take(visitor: Visitor, spends: readonly Spend[]): Promise<() => Promise<void>> {
    visitor.onLimits(await limits.take(spends));
    return () => limits.giveBack(spends);
  }

  return {
    take,

    /**
     * A new ticket. `mailboxHash`: of the address that it goes under; `isTrapped`: a field was filled in that no
     * customer sees.
     * @throws {AppError} `rate_limited`, or `proof_required` with a challenge
     */
    async ticket(visitor: Visitor, subject: Subject | null, mailboxHash: string, isTrapped: boolean) {
      const { session, address } = visitor;
      const spends: Spend[] = [
        { policy: 'tickets-ip', key: address },
        session
          ? { policy: 'tickets-session', key: session.subjectId }
          : { policy: 'sessions-ip', key: address },
      ];
      if (!subject?.isVerified) spends.push({ policy: 'tickets-address', key: mailboxHash });
      const isSuspect = isTrapped || (await limits.isNear(spends));
      if (proof.isAsked(isSuspect) && !(await proof.check(visitor.proof ?? '')))
        throw new AppError('proof_required', { challenge: await proof.challenge() });
      return take(visitor, spends);
    },

    message: (visitor: Visitor) =>
      take(visitor, [{ policy: 'messages-session', key: sessionOf(visitor).subjectId }]),
  };
}

export type Admission = ReturnType<typeof createAdmission>;

import { AppError } from '../errors.ts';
import { type CodeMailer, mailerOf } from '../identity/codes.ts';
import { isNear, type Limits, type Spend } from '../limits/limits.ts';
import type { Proof } from '../limits/proof.ts';
import { sessionOf, type Visitor } from './visitor.ts';

/** The points that a request has taken of the limits. */
export interface Counted {
  /** To be called for a request that failed through no fault of the visitor. */
  giveBack: () => Promise<void>;
  /** To be called for a request that was recorded before. Without it, `giveBack` is called. */
  giveBackForRepeat?: () => Promise<void>;
}

/**
 * Decides who may send now: limits, and a proof of work for suspicious requests.
 */
export function createAdmission(deps: {
  limits: Limits;
  proof: Proof;
  parts: readonly Partial<CodeMailer>[];
}) {
  const { limits, proof, parts } = deps;

  async function take(visitor: Visitor, spends: readonly Spend[]): Promise<Counted> {
    visitor.onLimits(await limits.take(spends));
    return { giveBack: () => limits.giveBack(spends) };
  }

  /** For a ticket of a browser without a session, also a repeated one, since its answer may bring a new session. */
  const ofNewSession = ({ address }: Visitor): Spend => ({ policy: 'sessions-ip', key: address });

  return {
    take,

    /**
     * Admits a new ticket. `mailboxHash`: of the address that it is opened under. `isTrapped`: a field that no
     * customer sees was filled in. Others can use up an address that the visitor has not proven. Then a proof of work
     * lets the ticket through or, after very many tickets under that address, a code.
     * @throws {AppError} `rate_limited`, `email_unverified`, or `proof_required` with a challenge
     */
    async ticket(visitor: Visitor, mailboxHash: string, isTrapped: boolean): Promise<Counted> {
      const { session, subject, address } = visitor;
      const ofSession: Spend = session
        ? { policy: 'tickets-session', key: session.subjectId }
        : ofNewSession(visitor);
      const own: Spend[] = [ofSession, { policy: 'tickets-ip', key: address }];
      const ofAddress: Spend = { policy: 'tickets-address', key: mailboxHash };
      const unproven: Spend[] = subject?.isVerified
        ? []
        : [ofAddress, { policy: 'tickets-address-network', key: `${mailboxHash} ${address}` }];
      const taken = await limits.takeFree(own, unproven);
      const over = taken.usedUp.map(({ spend }) => spend);
      const spends = [...own, ...unproven.filter((spend) => !over.includes(spend))];
      const giveBack = () => limits.giveBack(spends);
      try {
        if (mailerOf(parts) && over.includes(ofAddress)) throw new AppError('email_unverified');
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

    /** Admits a ticket that was recorded before. */
    async repeatedTicket(visitor: Visitor): Promise<void> {
      if (!visitor.session) await take(visitor, [ofNewSession(visitor)]);
    },

    message: (visitor: Visitor) =>
      take(visitor, [{ policy: 'messages-session', key: sessionOf(visitor).subjectId }]),
  };
}

export type Admission = ReturnType<typeof createAdmission>;

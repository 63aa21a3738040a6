import type { Handoff, HandoffProgress } from '../../../shared/contract/session.ts';
import { isoTime } from '../clock.ts';
import { AppError } from '../errors.ts';
import { type Handoffs, qrRows } from '../identity/handoffs.ts';
import type { NewSession, Sessions } from '../identity/sessions.ts';
import type { Subjects } from '../identity/subjects.ts';
import type { Views } from '../tickets/views.ts';
import type { Admission } from './admission.ts';
import type { Rotate } from './sign-in.ts';
import { sessionOf, type Visitor } from './visitor.ts';

interface Deps {
  sessions: Sessions;
  subjects: Subjects;
  views: Views;
  admission: Admission;
  handoffs: Handoffs;
  rotate: Rotate;
  publicUrl: string;
}

/** Lets a visitor authorize one other device for the same subject, and lets that device sign in. */
export function createHandoffUseCases(deps: Deps) {
  const { sessions, subjects, views, admission, handoffs, rotate, publicUrl } = deps;

  async function isTaken(subjectId: string): Promise<boolean> {
    return (await subjects.find(subjectId)).isSignedIn || (await views.list(subjectId)).length > 0;
  }

  return {
    /** Offers this session's tickets to one other device. */
    async offer(visitor: Visitor): Promise<Handoff> {
      const session = sessionOf(visitor);
      await admission.take(visitor, [{ policy: 'handoffs-session', key: session.subjectId }]);
      const { secret, expiresAt } = await handoffs.offer(session.id);
      const url = `${publicUrl}/#handoff=${secret}`;
      const expires_at = isoTime(expiresAt);
      return { state: 'offered', number: null, expires_at, url, qr: qrRows(url) };
    },

    async offered(visitor: Visitor): Promise<Handoff> {
      const offer = await handoffs.current(sessionOf(visitor).id);
      if (!offer) throw new AppError('not_found');
      const { state, number, expiresAt } = offer;
      return { state, number, expires_at: isoTime(expiresAt) };
    },

    /** `number`: as the waiting device shows it and this visitor saw it. */
    async confirm(visitor: Visitor, number: string): Promise<void> {
      if (!(await handoffs.confirm(sessionOf(visitor).id, number))) throw new AppError('not_found');
    },

    async withdraw(visitor: Visitor): Promise<void> {
      await handoffs.withdraw(sessionOf(visitor).id);
    },

    /**
     * Called by the other device, which asks until the first one has confirmed.
     * @throws {AppError} `not_found` for an unknown, used or expired secret; `invalid_request` while this browser has
     * a customer or tickets of its own, because it would lose them, and a stranger's link must not be able to cause
     * that
     */
    async redeem(
      visitor: Visitor,
      secret: string,
      device: string,
    ): Promise<{ progress: HandoffProgress; issued: NewSession | null }> {
      await admission.take(visitor, [{ policy: 'redeems-ip', key: visitor.address }]);
      if (visitor.session && (await isTaken(visitor.session.subjectId)))
        throw new AppError('invalid_request', { fields: { session: 'invalid' } });
      const asked = await handoffs.ask(secret, device);
      const offeringSession = asked && (await sessions.find(asked.offeredBy));
      if (!offeringSession) throw new AppError('not_found');
      if (!asked.isConfirmed) return { progress: { state: 'asked', number: asked.number }, issued: null };
      if (!(await handoffs.take(secret, device))) throw new AppError('not_found');
      const { issued, view } = await rotate(visitor, await subjects.find(offeringSession.subjectId), {
        notAfter: offeringSession.expiresAt,
      });
      return { progress: { state: 'done', session: view }, issued };
    },
  };
}

export type HandoffUseCases = ReturnType<typeof createHandoffUseCases>;

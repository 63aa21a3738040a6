import type { Attributes } from '../../../shared/contract/attributes.ts';
import type { CodeRequest, Session as SessionView } from '../../../shared/contract/session.ts';
import { AppError } from '../errors.ts';
import { type CodeMailer, type Codes, mailerOf } from '../identity/codes.ts';
import type { IdentityTokens } from '../identity/identity-token.ts';
import type { Live } from '../live/live.ts';
import type { NewSession, Session, Sessions } from '../identity/sessions.ts';
import type { Identity, Subject, Subjects } from '../identity/subjects.ts';
import type { Ownership } from '../tickets/ownership.ts';
import type { Transfers } from '../tickets/transfers.ts';
import type { Views } from '../tickets/views.ts';
import type { Admission } from './admission.ts';
import { sessionOf, type Visitor } from './visitor.ts';

/** A part of the BFF that acts on who a customer is. */
export interface SignedInHook {
  /**
   * A browser is about to act for this subject. `identity`: what the site's server asserts; null when the customer has
   * proven an address by a code.
   */
  onSignedIn?(subjectId: string, identity: Identity | null): Promise<void>;
}

interface Deps {
  sessions: Sessions;
  subjects: Subjects;
  ownership: Ownership;
  transfers: Transfers;
  views: Views;
  live: Live;
  admission: Admission;
  identityTokens: IdentityTokens | null;
  codes: Codes;
  parts: readonly (Partial<CodeMailer> & SignedInHook)[];
  rotate: Rotate;
}

/** How a visitor signs in and out. */
export function createSignIn(deps: Deps) {
  const { sessions, subjects, ownership, transfers, views, live, admission } = deps;
  const { identityTokens, codes, rotate } = deps;

  /**
   * Tickets of an anonymous browser under the proven address are transferred to the customer. Its other tickets are
   * transferred once the customer accepts them. Tickets of another customer are never transferred.
   */
  async function signIn(visitor: Visitor, subject: Subject, identity: Identity | null): Promise<SignedIn> {
    const { tokenHash } = visitor;
    // SECURITY: first, so that rights that have ended stay ended if something below fails.
    for (const part of deps.parts) await part.onSignedIn?.(subject.id, identity);
    // Another tab may have signed this browser in a moment ago, or may do so now. Then both sessions end together.
    const former = visitor.session && tokenHash ? await sessions.authenticate(tokenHash) : null;
    if (tokenHash && former && !subjects.of(former.subject).isSignedIn)
      await transfers.begin(former.session, tokenHash, subject);
    if (tokenHash) await transfers.resume(tokenHash, subject);
    for (const subjectId of await subjects.subjectsWithSameEmail(subject))
      await transfers.merge(subjectId, subject);
    await ownership.trust(subject);
    live.restart(subject.id);
    return rotate(visitor, subject, { attributes: identity?.attributes });
  }

  return {
    /** Never creates a session. */
    view: ({ session, subject }: Visitor): Promise<SessionView> => views.session(subject, session?.id),

    /**
     * By a token of the site's server.
     * @throws {AppError} `unauthenticated` for any invalid token; `not_found` when no key is configured
     */
    async identify(visitor: Visitor, token: string): Promise<SignedIn> {
      if (!identityTokens) throw new AppError('not_found');
      await admission.take(visitor, [{ policy: 'identity-ip', key: visitor.address }]);
      const identity = await identityTokens.verify(token);
      return signIn(visitor, await subjects.byIdentity(identity), identity);
    },

    /** Mails a code that is bound to the visitor's session. Creates a session when there is none. */
    async sendCode(visitor: Visitor, { email, language = 'en' }: CodeRequest): Promise<NewSession | null> {
      const mailer = mailerOf(deps.parts);
      if (!mailer) throw new AppError('not_found');
      const { session, address, isBearer } = visitor;
      const mailbox = subjects.mailboxHash(email);
      const ofSession = ({ subjectId }: Session) => ({ policy: 'codes-session', key: subjectId }) as const;
      const { giveBack } = await admission.take(visitor, [
        { policy: 'codes-ip', key: address },
        { policy: 'codes-address', key: mailbox },
        { policy: 'codes-address-day', key: mailbox },
        session ? ofSession(session) : { policy: 'sessions-ip', key: address },
      ]);
      try {
        const issued = session
          ? null
          : await sessions.issue(await subjects.create({ email, name: null }), {
              isSignedIn: false,
              isBearer,
            });
        if (issued) await admission.take(visitor, [ofSession(issued.session)]);
        // A customer whose session has ended signs in again.
        if (issued && visitor.tokenHash)
          await transfers.carry(visitor.tokenHash, sessions.hashOf(issued.token));
        const asking = session ?? issued!.session;
        await mailer.sendCode(email, await codes.make(asking.id, email), language);
        return issued;
      } catch (error) {
        await giveBack();
        throw error;
      }
    },

    /** @throws {AppError} `invalid_request` at the field `code`, for any error */
    async verifyCode(visitor: Visitor, code: string): Promise<SignedIn> {
      if (!mailerOf(deps.parts)) throw new AppError('not_found');
      const session = sessionOf(visitor);
      await admission.take(visitor, [{ policy: 'code-checks-ip', key: visitor.address }]);
      const email = await codes.check(session.id, code);
      if (email === null) throw new AppError('invalid_request', { fields: { code: 'invalid' } });
      return signIn(visitor, await subjects.byAddress(email), null);
    },

    /** Claims the tickets that others opened under the visitor's proven address. Their streams end. */
    async claim(visitor: Visitor): Promise<SessionView> {
      const session = sessionOf(visitor);
      const subject = await subjects.find(session.subjectId);
      const losers = await ownership.claim(subject);
      await subjects.setLost(losers, true);
      for (const id of [subject.id, ...losers]) live.restart(id);
      return views.session(subject, session.id);
    },

    /** The visitor has read the notice that their tickets were claimed. */
    async dismissMoved(visitor: Visitor): Promise<SessionView> {
      const session = sessionOf(visitor);
      await subjects.setLost([session.subjectId], false);
      live.restart(session.subjectId);
      return views.session(await subjects.find(session.subjectId), session.id);
    },

    /** The customer adds the tickets that this browser opened before they signed in. */
    async acceptTransfer(visitor: Visitor): Promise<SessionView> {
      const session = sessionOf(visitor);
      const subject = await subjects.find(session.subjectId);
      await transfers.accept(session.id, subject);
      live.restart(subject.id);
      return views.session(subject, session.id);
    },

    /** The customer does not add them, and is not asked again. */
    async declineTransfer(visitor: Visitor): Promise<SessionView> {
      const session = sessionOf(visitor);
      await transfers.decline(visitor.tokenHash!);
      live.restart(session.subjectId);
      return views.session(await subjects.find(session.subjectId), session.id);
    },

    /** @throws {AppError} `unauthenticated` when the browser now has another customer's session */
    async signOut({ session, tokenHash, isOthers }: Visitor): Promise<SessionView> {
      if (isOthers) throw new AppError('unauthenticated');
      if (tokenHash) await transfers.decline(tokenHash);
      if (session) {
        await sessions.end(session.id);
        await live.endSession(session);
      }
      return views.session(null);
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;

/** The result of a change of rights: a session for the browser, and the data that it shows. */
export interface SignedIn {
  issued: NewSession;
  view: SessionView;
}

/**
 * From now on the visitor acts for `subject`, with a new token that is valid until `notAfter` (Unix milliseconds) at
 * most. The session that asked for it ends. An offer to the subject in this browser is kept. `attributes`: what the
 * site's token says.
 */
export type Rotate = (
  visitor: Visitor,
  subject: Subject,
  more?: { notAfter?: number; attributes?: Attributes | undefined },
) => Promise<SignedIn>;

export function createRotate(deps: {
  sessions: Sessions;
  transfers: Transfers;
  views: Views;
  live: Live;
}): Rotate {
  const { sessions, transfers, views, live } = deps;
  return async ({ session, tokenHash, isBearer }, subject, { notAfter, attributes } = {}) => {
    const kind = { isSignedIn: subject.isSignedIn, isBearer, attributes };
    const issued = await sessions.issue(subject.id, kind, notAfter);
    const offerMs = tokenHash
      ? await transfers.carry(tokenHash, sessions.hashOf(issued.token), subject.id)
      : 0;
    if (session) {
      await sessions.end(session.id);
      live.restart(session.subjectId);
    }
    return {
      issued: { ...issued, lifetimeMs: Math.max(issued.lifetimeMs, offerMs) },
      view: await views.session(subject, issued.session.id),
    };
  };
}

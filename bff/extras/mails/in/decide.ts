import type { SenderChecks } from './authentication.ts';
import type { IncomingMail } from './incoming-mail.ts';
import type { FoundToken } from './reply-tokens.ts';

/* Decides what becomes of a mail. It knows the mail and some facts, and neither the store nor the network. */

/** A ticket that an answer was asked for by a mail to this address. */
export interface AskedFor extends FoundToken {
  /** Who holds the ticket. Null: nobody any more. */
  subjectId: string | null;
}

export interface Facts {
  /** By the token in the mail. Null without one that is valid. */
  asked: AskedFor | null;
  /** It is one of our own mails, or from the address that answers go to. */
  isOurs: boolean;
  /** Keyed hash of the sender's address. Null for what is no address. */
  senderHash: string | null;
  /** By the operator's mail server. */
  checks: SenderChecks | null;
  /** Whether the operator takes only mails whose sender has passed DMARC. */
  needsDmarc: boolean;
  /** Whether a mail without a token opens a ticket. */
  opensTickets: boolean;
  /** Keyed hashes of the addresses that a bounce is about. */
  bouncedHashes: readonly string[];
}

/** Why a mail comes to nothing. Also a label of a metric. */
export type Ignored =
  | 'own'
  | 'automatic'
  | 'list'
  | 'empty'
  | 'not_authentic'
  | 'bounce_temporary'
  | 'bounce_of_others';

export type Decision =
  /** `isCustomer`: it is the word of whom the ticket's mails go to. */
  | { act: 'reply'; subjectId: string; ticketId: string; isCustomer: boolean }
  | { act: 'open' }
  /** The sender is told where to write. */
  | { act: 'tell' }
  /** The address gets no more mails about tickets. */
  | { act: 'bounced'; addressHash: string }
  | { act: 'ignore'; reason: Ignored }
  /** For the operator, who reads the reason. */
  | { act: 'aside'; reason: string };

const ignore = (reason: Ignored): Decision => ({ act: 'ignore', reason });
const aside = (reason: string): Decision => ({ act: 'aside', reason });

/** SECURITY: only about a mail that we sent to this address, so that nobody can silence the address of somebody else. */
function ofBounce(isPermanent: boolean, { asked, bouncedHashes }: Facts): Decision {
  if (!asked) return ignore('bounce_of_others');
  if (!isPermanent) return ignore('bounce_temporary');
  const isAbout = bouncedHashes.length === 0 || bouncedHashes.includes(asked.addressHash);
  return isAbout ? { act: 'bounced', addressHash: asked.addressHash } : ignore('bounce_of_others');
}

export function decide(mail: IncomingMail, facts: Facts): Decision {
  const { asked, senderHash, checks } = facts;
  if (mail.kind === 'bounce') {
    // Somebody such as a postmaster may answer with the words of a bounce.
    const isAnswer = asked && senderHash === asked.addressHash && !facts.bouncedHashes.includes(senderHash);
    if (isAnswer) return aside('it reads as a bounce, and is from whom the ticket’s mails go to');
    return ofBounce(mail.bounce?.isPermanent ?? false, facts);
  }
  if (facts.isOurs) return ignore('own');
  if (mail.kind === 'automatic') return ignore('automatic');
  // A customer's address may be a list, which then writes in its own name. All others come by lists that we did not mail.
  if (mail.kind === 'list' && senderHash !== asked?.addressHash)
    return asked ? aside('it answers a ticket, and came by a mailing list') : ignore('list');
  if (senderHash === null) return aside('its sender has no address that can be read');
  if (facts.needsDmarc && checks?.dmarc !== 'pass')
    return aside(`its sender has not passed DMARC (${checks?.dmarc ?? 'no result of MAIL_IN_SERVER'})`);
  const isEmpty = mail.words === '' && mail.attachments.length === 0;
  // Some write inside what they quote, where nobody can tell their words from ours.
  if (isEmpty && asked && mail.whole !== '') return aside('it has no words outside of what it quotes');
  // Who begins a conversation may say it all in the subject.
  if (isEmpty && (asked || !facts.opensTickets || mail.subject === '')) return ignore('empty');
  const isForged = checks?.dmarc === 'fail';
  if (asked?.subjectId) {
    const isCustomer = senderHash === asked.addressHash && !isForged;
    return { act: 'reply', subjectId: asked.subjectId, ticketId: asked.ticketId, isCustomer };
  }
  // Its sender has not written it.
  if (isForged) return ignore('not_authentic');
  return { act: facts.opensTickets ? 'open' : 'tell' };
}

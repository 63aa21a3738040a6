import { isMailboxGone } from '../refusal.ts';
import { type Bounce, type Headers, valueOf } from './incoming-mail.ts';
import { bare } from './history.ts';

/*
 * Bounces: mails by which a server tells that it could not deliver one. It knows the standard form (RFC 3464) and how servers say it
 * without. It does not know which mail was sent to the address.
 */

/** A mail as far as it tells what it is. */
export interface MailFacts {
  headers: Headers;
  from: { name: string; address: string } | null;
  subject: string;
  text: string;
  /** Its parts that are no text of it. */
  parts: readonly { type: string; text: () => string }[];
}

const noAddress = /[^\w.!#$%&'*+/=?^`{|}~@-]+/;
/** Addresses in a text, in lower case. */
const addressesIn = (text: string): string[] =>
  text.split(noAddress).flatMap((word) => {
    const [local = '', domain = '', ...more] = word.toLowerCase().split('@');
    const host =
      domain
        .split(/[^a-z0-9.-]/, 1)[0]
        ?.split('.')
        .filter(Boolean) ?? [];
    return local === '' || more.length > 0 || host.length < 2 ? [] : [`${local}@${host.join('.')}`];
  });

/**
 * Whether an enhanced status or an answer of SMTP says that there is no such mailbox. Null if there is neither: then words
 * decide. A mail that was refused as spam, or a full mailbox, says nothing about the next mail.
 */
function isGoneIn(text: string): boolean | null {
  const status = /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(text)?.[1];
  const answer = /(?:^|[^\d.])([45])[0-5]\d(?=[ -])/.exec(text)?.[1];
  const found = status ?? answer;
  return found === undefined ? null : found.startsWith('5') && isMailboxGone(status, text);
}

interface Delivery {
  action: string;
  address: string | null;
  isGone: boolean | null;
}

/** The recipients of a `message/delivery-status`, each a block of fields. */
function deliveriesIn(status: string): Delivery[] {
  return status
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n\n')
    .map((block) => {
      const fields = new Map(
        block.split('\n').map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const of = (name: string) => addressesIn(fields.get(name) ?? '')[0];
      return {
        action: valueOf(fields.get('action') ?? '').split(' ', 1)[0] ?? '',
        // The address that was written to, if the server has passed the mail on.
        address: of('original-recipient') ?? of('final-recipient') ?? of('x-actual-recipient') ?? null,
        isGone: isGoneIn(`${fields.get('status') ?? ''} ${fields.get('diagnostic-code') ?? ''}`),
      };
    })
    .filter(({ action, address: found }) => action !== '' || found !== null);
}

const daemonNames = new Set(['mailer-daemon', 'mailerdaemon', 'mail-daemon', 'mail.delivery.system']);
const serverNames = new Set([
  ...daemonNames,
  'postmaster',
  'post_master',
  'poostmaster',
  'sysadmin',
  'no-reply',
  'noreply',
]);

const localPart = (mail: MailFacts) => (mail.from?.address ?? '').split('@', 1)[0]?.toLowerCase() ?? '';
/** Whether a program for the delivery of mails has sent it. */
export const isFromDaemon = (mail: MailFacts): boolean =>
  daemonNames.has(localPart(mail)) ||
  /\bmail(er)?[ -]?(daemon|deliver(y)? (sub)?system)\b/i.test(mail.from?.name ?? '');

/** Subjects of bounces. */
const bounceSubject =
  /undeliver|delivery (failure|status|report|notification|problem|has failed)|failure notice|mail(er)? (failure|system error|delivery failed|could not be delivered)|returned (mail|to sender)|mail delivery|message delivery has failed|could not be delivered|delivery failed|error sending your mail|message you sent blocked|bounce|mta-blocked|non.?remis|échec de (la )?remise|unzustellbar|nicht zugestellt|no se puede entregar|no entregado|non recapitabile|mancata consegna|não entregue|onbestelbaar|niet bezorgd|nie dostarczon|недоставлен|не доставлено|не удалось доставить|teslim edilemedi|kunde inte levereras|kan ikke leveres|メールエラー|配信不能|配信できません|반송|배달되지|退信|无法传递|无法送达|未傳遞|無法傳遞|tidak terkirim|không thể gửi/i;

/** Sentences of servers that could not deliver. */
const bounceSentence =
  /could(n't| not) be (delivered|sent)|did not reach the following recipient|unable to deliver|was not delivered|(wasn't|not) able to deliver|delivery (to the following|has failed|failed)|error delivering your mail|trouble delivering|this is the (qmail|mail system|postfix|dragonfly)|undeliverable|invalid user address|failure reasons|returned message|user unknown|mailbox (is )?full|was rejected and discarded|no such user|host unknown|permanent(ly)? (error|failure|fatal)|(message|mail) (was|has been) (rejected|returned|blocked)|couldn't be (found|delivered)|not listed in|konnte nicht zugestellt|n'a pas pu être (remis|distribué)|no se pudo entregar|не удалось доставить|配信できません|送信できません|宛先不明/i;

/** How a line begins that stands above the returned mail. The second kind only between dashes or with a colon: sentences have it too. */
const copyLines =
  /^(?:received:|return-path:|below this line is a copy|original mail as follows|original message headers|message headers? follow|bounced e-?mail)/i;
const copyTitles =
  /^(?:original message|returned message|unsent message|undelivered message|the header of the original|a copy of the message|the body of the message|this is a copy)/i;

/** What a server says itself, above the mail that it returns, and that mail. */
function splitAtCopy(text: string): { told: string; copy: string } {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => {
    const words = bare(line);
    return (
      copyLines.test(words) ||
      (copyTitles.test(words) && (/^[ \t]*[-=_]{2}/.test(line) || words.endsWith(':')))
    );
  });
  // A report that begins with the mail tells nothing above it.
  return at <= 0
    ? { told: text, copy: '' }
    : { told: lines.slice(0, at).join('\n'), copy: lines.slice(at).join('\n') };
}

const failedLine =
  /^[ \t]*(?:rcpt to|final-recipient|addressed to|target mail address|recipient|failed recipient)s?[ \t]*:/i;

const toLine = /^[ \t>]*to:(.*(?:\n[ \t].*)?)/im;
/** No address: an id. */
const idLine = /^[ \t>]*(?:x-)?(?:message-id|references|in-reply-to)/i;

/** The addresses that a server says it could not reach: those in fields, else those in its words, else whom the returned mail is to. */
function failedAddresses(mail: MailFacts, { told, copy }: { told: string; copy: string }): string[] {
  const own = new Set(addressesIn(`${mail.headers.all('To').join(' ')} ${mail.from?.address ?? ''}`));
  const others = (found: string[]) =>
    found.filter((each) => !own.has(each) && !daemonNames.has(each.split('@', 1)[0] ?? ''));
  const lines = told.split('\n').filter((line) => !idLine.test(line));
  const returned = mail.parts.find(({ type }) => type === 'message/rfc822' || type === 'text/rfc822-headers');
  const places = [
    () => lines.filter((line) => failedLine.test(line)).flatMap(addressesIn),
    () => lines.flatMap(addressesIn),
    () => addressesIn(toLine.exec(copy)?.[1] ?? ''),
    () => addressesIn(toLine.exec(returned?.text().slice(0, maxTold) ?? '')?.[1] ?? ''),
  ];
  for (const place of places) {
    const found = others(place());
    if (found.length > 0) return [...new Set(found)].slice(0, 20);
  }
  return [];
}

/** Sentences that name an address which exists no more, for servers that give no code. */
const goneWords =
  /(user|recipient|host|mailbox|account|address) (is )?(unknown|not found|not recognized)|(unknown|invalid|no such|no valid) (user|recipient|host|mailbox|address)|not listed in|does not exist|name is not recognized|permanent (delivery )?error|宛先不明|リストにありません/i;

/** A report reads at most so much of a text: servers say what failed at its beginning. */
const maxTold = 20_000;

/** Which addresses a mail says could not be reached. Null for a mail that is no bounce. */
export function readBounce(mail: MailFacts): Bounce | null {
  const reports = mail.parts.filter(({ type }) => reportTypes.has(type));
  const deliveries = reports.flatMap((report) => deliveriesIn(report.text().slice(0, maxTold)));
  const failed = deliveries.filter(({ action }) => ['failed', 'failure', ''].includes(action));
  if (deliveries.length > 0 && failed.length === 0) {
    const late = deliveries.filter(({ action }) => action === 'delayed');
    // Delivered, relayed or expanded: a receipt.
    if (late.length === 0) return null;
    return { addresses: [...new Set(late.flatMap((each) => each.address ?? []))], isPermanent: false };
  }

  const named = [...new Set(addressesIn(mail.headers.all('X-Failed-Recipients').join(' ')))];
  const text = splitAtCopy(mail.text.slice(0, maxTold));
  const isReport =
    reports.length > 0 || /report-type="?delivery-status/i.test(mail.headers.first('Content-Type') ?? '');
  const isFromServer =
    isFromDaemon(mail) ||
    serverNames.has(localPart(mail)) ||
    mail.headers.first('Return-Path')?.trim() === '<>';
  const saysIt = bounceSubject.test(mail.subject) || bounceSentence.test(text.told);
  if (!isReport && named.length === 0 && !(isFromServer && saysIt)) return null;

  const reported = [...new Set(failed.flatMap((each) => each.address ?? []))];
  const addresses = reported.length > 0 ? reported : named;
  return {
    addresses: addresses.length > 0 ? addresses : failedAddresses(mail, text),
    isPermanent:
      failed.map((each) => each.isGone).find((each) => each !== null) ??
      isGoneIn(text.told) ??
      goneWords.test(text.told),
  };
}

const reportTypes = new Set(['message/delivery-status', 'message/global-delivery-status']);

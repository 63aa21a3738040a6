import { type Headers, valueOf } from './headers.ts';

/*
 * Bounces: mails by which a server tells that it could not deliver one. It knows the standard form (RFC 3464) and how servers say it
 * without. It does not know which mail was sent to the address.
 */

export interface Bounce {
  /** In lower case. Empty if the mail does not name any. */
  addresses: readonly string[];
  isPermanent: boolean;
}

/** A mail as far as it tells what it is. */
export interface MailFacts {
  headers: Headers;
  from: { name: string; address: string } | null;
  /** Addresses it was sent to. */
  recipients: readonly string[];
  subject: string;
  text: string;
  /** Its parts that are no text of it. */
  parts: readonly { type: string; text: () => string }[];
}

const address = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi;
const addressesIn = (text: string): string[] => (text.match(address) ?? []).map((each) => each.toLowerCase());

/** Whether an enhanced status or an answer of SMTP says that it failed for good. Null if there is none. */
function isPermanentIn(text: string): boolean | null {
  const status = /(?:^|[^\d.])([45])\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/.exec(text)?.[1];
  const answer = /(?:^|[^\d.])([45])[0-5]\d(?=[ -])/.exec(text)?.[1];
  const found = status ?? answer;
  return found === undefined ? null : found === '5';
}

interface Delivery {
  action: string;
  address: string | null;
  isPermanent: boolean | null;
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
        isPermanent:
          isPermanentIn(fields.get('status') ?? '') ?? isPermanentIn(fields.get('diagnostic-code') ?? ''),
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

/** Where servers begin the copy of the mail that they return. */
const copyBegins =
  /^[ \t>*#-]*(?:original (?:message|mail)|returned message|message headers? follow|below this line is a copy|-{2,} ?this is a copy|a copy of the message|the body of the message|bounced e-?mail|received: |return-path: |original mail as follows|unsent message below|--- below|.{0,40}message header)/im;
const failedLine =
  /^[ \t]*(?:rcpt to|final-recipient|addressed to|target mail address|recipient|failed recipient)s?[ \t]*:/i;

/** Addresses that a text says could not be reached. */
function failedAddresses(mail: MailFacts, told: string): string[] {
  const own = new Set([...mail.recipients, mail.from?.address ?? ''].map((each) => each.toLowerCase()));
  const lines = told.split('\n');
  const marked = lines.filter((line) => failedLine.test(line)).flatMap(addressesIn);
  const found = (marked.length > 0 ? marked : addressesIn(told)).filter(
    (each) => !own.has(each) && !daemonNames.has(each.split('@', 1)[0] ?? ''),
  );
  return [...new Set(found)].slice(0, 20);
}

/** A report reads at most so much of a text: servers say what failed at its beginning. */
const maxTold = 20_000;

/** Which addresses a mail says could not be reached. Null for a mail that is no bounce. */
export function readBounce(mail: MailFacts): Bounce | null {
  const reports = mail.parts.filter(
    ({ type }) => type === 'message/delivery-status' || type === 'message/global-delivery-status',
  );
  const deliveries = reports.flatMap((report) => deliveriesIn(report.text().slice(0, maxTold)));
  const told = mail.text.slice(0, maxTold);
  const copy = copyBegins.exec(told)?.index ?? told.length;
  const head = copy > 0 ? told.slice(0, copy) : told;
  const named = [...new Set(addressesIn(mail.headers.all('X-Failed-Recipients').join(' ')))];

  const failed = deliveries.filter(
    ({ action }) => action === 'failed' || action === 'failure' || action === '',
  );
  if (deliveries.length > 0 && failed.length === 0) {
    const late = deliveries.filter(({ action }) => action === 'delayed');
    // Delivered, relayed or expanded: a receipt.
    return late.length === 0
      ? null
      : { addresses: [...new Set(late.flatMap((each) => each.address ?? []))], isPermanent: false };
  }
  const addresses = [...new Set(failed.flatMap((each) => each.address ?? []))];
  if (failed.length > 0)
    return {
      addresses: addresses.length > 0 ? addresses : named.length > 0 ? named : failedAddresses(mail, head),
      isPermanent: failed.some((each) => each.isPermanent ?? isPermanentIn(head) ?? false),
    };

  const isReport =
    reports.length > 0 || /report-type="?delivery-status/i.test(mail.headers.first('Content-Type') ?? '');
  const isFromServer =
    isFromDaemon(mail) ||
    serverNames.has(localPart(mail)) ||
    valueOf(mail.headers.first('Return-Path')) === '<>';
  const isBounce =
    isReport ||
    named.length > 0 ||
    (isFromServer && (bounceSubject.test(mail.subject) || bounceSentence.test(told)));
  if (!isBounce) return null;
  return {
    addresses: named.length > 0 ? named : failedAddresses(mail, head),
    isPermanent: isPermanentIn(head) ?? isPermanentIn(told) ?? false,
  };
}

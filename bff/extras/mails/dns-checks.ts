import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { type Finding, ok, skip, warn } from '../../core/operator/check.ts';

/*
 * What DNS tells of the domain that mails come from. It knows no settings and sends no mail. A finding is at most a
 * warning: how mails really arrive is only seen in one. Where DNS does not know the domain at all, as in a closed
 * network, nothing is said.
 */

/** What is asked of DNS. */
export type Dns = Pick<Resolver, 'resolveTxt' | 'resolvePtr'>;

export const systemDns = (): Dns => new Resolver({ timeout: 2_000, tries: 2 });

/** `missing`: there is no such record. `nowhere`: there is no such name, nor any below it. `unknown`: no answer. */
type Answer = string[] | 'missing' | 'nowhere' | 'unknown';

const unasked = skip('DNS tells nothing of the domain of MAIL_FROM here');

const answerOf = (records: Promise<string[]>): Promise<Answer> =>
  records.catch(({ code }: NodeJS.ErrnoException) =>
    code === 'ENODATA' ? 'missing' : code === 'ENOTFOUND' ? 'nowhere' : 'unknown',
  );

const textsAt = (dns: Dns, name: string) =>
  answerOf(dns.resolveTxt(name).then((records) => records.map((parts) => parts.join(''))));

const recordsOf = (answer: Answer, version: RegExp) =>
  typeof answer === 'string' ? [] : answer.filter((text) => version.test(text));

const isUnasked = (answer: Answer) => answer === 'nowhere' || answer === 'unknown';

const spfVersion = /^v=spf1(?: |$)/i;
const dmarcVersion = /^v=DMARC1\s*(?:;|$)/;

/** Which servers may send for the domain. */
export async function checkSpf(dns: Dns, domain: string): Promise<Finding> {
  const answer = await textsAt(dns, domain);
  if (isUnasked(answer)) return unasked;
  const records = recordsOf(answer, spfVersion);
  const [record] = records;
  if (record === undefined) return warn('the domain of MAIL_FROM has no SPF record');
  if (records.length > 1)
    return warn(
      `the domain of MAIL_FROM has ${records.length} SPF records: receivers then use none`,
      'Make one TXT record of them.',
    );
  if (/^v=spf1\s+-all\s*$/i.test(record))
    return warn('the SPF record of the domain of MAIL_FROM lets no server send for it');
  if (/\s\+?all(?:\s|$)/i.test(record))
    return warn('the SPF record of the domain of MAIL_FROM lets every server send for it');
  return ok('the domain of MAIL_FROM has an SPF record');
}

/** Names of keys that large providers and usual programs give. */
const usualKeys = ['default', 'mail', 'dkim', 'google', 'selector1', 's1', 'k1', 'k2', 'pm', 'sig1', 'zoho'];

/**
 * Whether there are keys for signatures. Their names cannot be known, but where DNS says that there is nothing below
 * `_domainkey`, there is none (RFC 8020). Some servers say so wrongly, so usual names are asked too.
 */
export async function checkDkim(dns: Dns, domain: string): Promise<Finding> {
  const unseen = 'whether mails are signed (DKIM) shows only in a mail: look for dkim=pass in its headers';
  if (isUnasked(await textsAt(dns, domain))) return unasked;
  if ((await textsAt(dns, `_domainkey.${domain}`)) !== 'nowhere') return skip(unseen);
  const keys = await Promise.all(usualKeys.map((key) => textsAt(dns, `${key}._domainkey.${domain}`)));
  return keys.every((key) => key === 'nowhere')
    ? warn('the domain of MAIL_FROM has no DKIM key')
    : skip(unseen);
}

/** What receivers should do with mails that fail both. The record of a parent domain counts too. */
export async function checkDmarc(dns: Dns, domain: string): Promise<Finding> {
  if (isUnasked(await textsAt(dns, domain))) return unasked;
  const labels = domain.split('.');
  for (let above = 0; above < Math.max(1, labels.length - 1); above++) {
    const name = labels.slice(above).join('.');
    const answer = await textsAt(dns, `_dmarc.${name}`);
    if (answer === 'unknown') return unasked;
    const records = recordsOf(answer, dmarcVersion);
    if (records.length > 1)
      return warn(
        'the domain of MAIL_FROM has more than one DMARC record: receivers then use none',
        'Keep one of the TXT records at _dmarc.',
      );
    if (records.length === 1) {
      const policy = /;\s*p\s*=\s*(none|quarantine|reject)\b/i.exec(records[0]!)?.[1]?.toLowerCase();
      return ok(`the domain of MAIL_FROM has a DMARC record (p=${policy ?? 'none'})`);
    }
  }
  return warn('the domain of MAIL_FROM has no DMARC record');
}

const privateAddress =
  /^(?:10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;

/** The addresses of this machine in the internet, of version 4: large providers want names of those. */
export const publicAddresses = (interfaces = networkInterfaces()): string[] =>
  Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && !internal && !privateAddress.test(address),
    )
    .map(({ address }) => address);

/** Whether the addresses of a mail server on this machine have names. */
export async function checkNames(dns: Dns, domain: string, addresses: readonly string[]): Promise<Finding> {
  if (isUnasked(await textsAt(dns, domain))) return unasked;
  const nameOf = (address: string) => `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  const names = await Promise.all(addresses.map((address) => answerOf(dns.resolvePtr(nameOf(address)))));
  if (names.length === 0 || names.includes('unknown'))
    return skip('the address of the mail server is not known');
  return names.every((each) => Array.isArray(each))
    ? ok('the addresses of this machine have names in DNS (PTR)')
    : warn('an address of this machine has no name in DNS (PTR), and its mail server may send from there');
}

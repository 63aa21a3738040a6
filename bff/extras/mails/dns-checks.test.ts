import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDkim, checkDmarc, checkNames, checkSpf, publicAddresses } from './dns-checks.ts';

let server: Socket | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

const codes = { unknown: 2, nowhere: 3 } as const;
type Zone = Record<string, string[] | keyof typeof codes>;

/** The strings of a TXT record, or the labels of a name, each with its length before it. */
const counted = (texts: readonly string[]) =>
  Buffer.concat(texts.flatMap((text) => [Buffer.from([text.length]), Buffer.from(text)]));

/** One record that answers the question: the name of it, type, class IN, seconds, content. */
function record(type: number, content: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(content.length, 10);
  return Buffer.concat([head, content]);
}

/**
 * A DNS server on loopback, and what asks it. Names that the zone does not have are nowhere, unless others are below
 * them. A text is cut into strings of 100 characters.
 */
async function serveDns(zone: Zone) {
  const socket = createSocket('udp4');
  server = socket;
  socket.on('message', (question, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length; (length = question[at]!) > 0; at += length + 1)
      labels.push(question.subarray(at + 1, at + 1 + length).toString());
    const name = labels.join('.').toLowerCase();
    const type = question.readUInt16BE(at + 1);
    const hasBelow = Object.keys(zone).some((each) => each.endsWith(`.${name}`));
    const found: Zone[string] = zone[name] ?? (hasBelow ? [] : 'nowhere');
    const records = Array.isArray(found)
      ? found.map((text) =>
          type === 16
            ? record(16, counted(text.match(/.{1,100}/g)!))
            : record(12, Buffer.concat([counted(text.split('.')), Buffer.from([0])])),
        )
      : [];
    const answer = Buffer.from(question.subarray(0, at + 5));
    answer.writeUInt16BE(0x8180 + (Array.isArray(found) ? 0 : codes[found]), 2);
    answer.writeUInt16BE(records.length, 6);
    answer.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([answer, ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const dns = new Resolver({ timeout: 60_000, tries: 1 });
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  return dns;
}

const domain = 'mail.acme.example';
const long = `v=spf1 ${'include:spf.provider.example '.repeat(8)}?all`;

describe('SPF', () => {
  it.each([
    ['passes', { [domain]: ['v=spf1 include:spf.provider.example ~all'] }, 'ok', 'an SPF record'],
    ['passes where others are beside it', { [domain]: ['site=1', 'V=SPF1 mx -all'] }, 'ok', 'an SPF record'],
    ['passes in several strings', { [domain]: [long] }, 'ok', 'an SPF record'],
    [
      'passes where another has it',
      { [domain]: ['v=spf1 redirect=_spf.acme.example'] },
      'ok',
      'an SPF record',
    ],
    ['warns without one', { [domain]: ['v=spf10 mx'] }, 'warn', 'no SPF record'],
    ['warns of two', { [domain]: ['v=spf1 mx ~all', 'v=spf1 a ~all'] }, 'warn', '2 SPF records'],
    ['warns where nobody may send', { [domain]: ['v=spf1 -all'] }, 'warn', 'lets no server send'],
    ['warns where everybody may send', { [domain]: ['v=spf1 mx +all'] }, 'warn', 'lets every server send'],
    ['says nothing where DNS fails', { [domain]: 'unknown' }, 'skip', 'tells nothing'],
    ['says nothing of a domain that DNS does not know', {}, 'skip', 'tells nothing'],
  ] as const)('%s', async (_, zone, level, says) => {
    const finding = await checkSpf(await serveDns(zone as unknown as Zone), domain);
    expect(finding).toMatchObject({ level, says: expect.stringContaining(says) });
  });
});

describe('DKIM', () => {
  it.each([
    ['warns where no key can be', { [domain]: [] }, 'warn', 'no DKIM key'],
    [
      'does not tell where keys are',
      { [domain]: [], [`x7._domainkey.${domain}`]: ['v=DKIM1'] },
      'skip',
      'dkim=pass',
    ],
    [
      'believes a key of a usual name more than a server that denies all',
      { [domain]: [], [`_domainkey.${domain}`]: 'nowhere', [`s1._domainkey.${domain}`]: ['v=DKIM1; p=x'] },
      'skip',
      'dkim=pass',
    ],
    ['says nothing of a domain that DNS does not know', {}, 'skip', 'tells nothing'],
  ] as const)('%s', async (_, zone, level, says) => {
    const finding = await checkDkim(await serveDns(zone as unknown as Zone), domain);
    expect(finding).toMatchObject({ level, says: expect.stringContaining(says) });
  });
});

describe('DMARC', () => {
  it.each([
    ['passes', { [domain]: [], [`_dmarc.${domain}`]: ['v=DMARC1; p=reject'] }, 'ok', '(p=reject)'],
    ['passes by a parent', { [domain]: [], '_dmarc.acme.example': ['v=DMARC1;p=none'] }, 'ok', '(p=none)'],
    [
      'warns without one',
      { [domain]: [], [`_dmarc.${domain}`]: ['DMARC please'] },
      'warn',
      'no DMARC record',
    ],
    [
      'warns of two',
      { [domain]: [], [`_dmarc.${domain}`]: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] },
      'warn',
      'more than one DMARC record',
    ],
    [
      'says nothing where DNS fails',
      { [domain]: [], [`_dmarc.${domain}`]: 'unknown' },
      'skip',
      'tells nothing',
    ],
  ] as const)('%s', async (_, zone, level, says) => {
    const finding = await checkDmarc(await serveDns(zone as unknown as Zone), domain);
    expect(finding).toMatchObject({ level, says: expect.stringContaining(says) });
  });
});

describe('a mail server on this machine', () => {
  const pointer = '9.2.0.192.in-addr.arpa';

  it.each([
    ['passes with a name', { [domain]: [], [pointer]: ['mail.acme.example'] }, ['192.0.2.9'], 'ok'],
    ['warns without a name', { [domain]: [] }, ['192.0.2.9'], 'warn'],
    ['says nothing where DNS fails', { [domain]: [], [pointer]: 'unknown' }, ['192.0.2.9'], 'skip'],
    ['says nothing without an address of the internet', { [domain]: [] }, [], 'skip'],
    ['says nothing in a network that knows no domain', {}, ['192.0.2.9'], 'skip'],
  ] as const)('%s', async (_, zone, addresses, level) => {
    const finding = await checkNames(await serveDns(zone as unknown as Zone), domain, addresses);
    expect(finding).toMatchObject({ level });
  });

  it('has its addresses of the internet looked at, and no private ones', () => {
    const of = (address: string, more: object = {}) =>
      ({ address, family: 'IPv4', internal: false, ...more }) as never;
    const interfaces = {
      lo: [of('127.0.0.1', { internal: true })],
      eth0: [of('10.1.2.3'), of('172.20.0.2'), of('100.64.0.1'), of('203.0.113.9')],
      eth1: [of('2001:db8::1', { family: 'IPv6' })],
    };
    expect(publicAddresses(interfaces)).toEqual(['203.0.113.9']);
  });
});

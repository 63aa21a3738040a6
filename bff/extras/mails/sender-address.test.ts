import addressparser from 'nodemailer/lib/addressparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import { describe, expect, it } from 'vitest';
import { readMailbox } from './sender-address.ts';

describe('the address of a sender', () => {
  const accepted = [
    ['support@example.com', '', 'support@example.com'],
    [' <support@example.com> ', '', 'support@example.com'],
    ['Acme <support@localhost>', 'Acme', 'support@localhost'],
    ['Acme: Support <s@example.com>', 'Acme: Support', 's@example.com'],
    ['Acme (EU) <s@example.com>', 'Acme (EU)', 's@example.com'],
    ['Giro Crédito - Soporte (Email <s@example.com>', 'Giro Crédito - Soporte (Email', 's@example.com'],
    ['Care Team, Billing <s@example.com>', 'Care Team, Billing', 's@example.com'],
    ['Dr. Julio Menezes <s@example.com>', 'Dr. Julio Menezes', 's@example.com'],
    ['Acme; Support<s@example.com>', 'Acme; Support', 's@example.com'],
    ['"Acme, \\"the\\" Inc." <s@example.com>', 'Acme, "the" Inc.', 's@example.com'],
    ['"Acme" Support <s@example.com>', '"Acme" Support', 's@example.com'],
    ['Captiono از Support «پشتیبانی» <s@example.com>', 'Captiono از Support «پشتیبانی»', 's@example.com'],
    ['Müller @ home <s@bücher.example>', 'Müller @ home', 's@xn--bcher-kva.example'],
    ["o'brien+desk.eu@example.co.uk", '', "o'brien+desk.eu@example.co.uk"],
  ] as const;

  it.each(accepted)('is read with its name as meant: %j', (text, name, address) => {
    expect(readMailbox(text)).toEqual({ name, address });
  });

  it.each(accepted)('reaches a parser of headers unchanged: %j', async (_, name, address) => {
    const composed = new MailComposer({ from: { name, address } }).compile();
    const header = (await composed.build()).toString();
    const [, value = ''] = /^From: (.*(?:\r\n[ \t].*)*)/m.exec(header)!;
    const [parsed, ...others] = addressparser(value.replaceAll(/\r\n/g, ''), { flatten: true });
    expect(others).toEqual([]);
    expect(parsed!.address).toBe(address);
  });

  it.each([
    ['support', 'must be one address'],
    ['', 'must be one address'],
    ['Acme support@example.com', 'must be one address, or a name and then one address in brackets'],
    ['support@example.com (Acme)', 'must be one address'],
    ['Acme <support@example.com', 'must be one address'],
    ['support@example.com;', 'an address that cannot be one'],
    ['Acme <s@example.com>;', 'must be one address'],
    ['Acme\nBcc: <a@example.com>', 'must be one address'],
    ['Acme <<a@example.com>', 'must be one address'],
    ['a@example.com, b@example.com', 'more than one address'],
    ['a@example.com;b@example.com', 'more than one address'],
    ['Acme <a@example.com>, Bcme <b@example.com>', 'more than one address'],
    ['b@example.com, Acme <a@example.com>', 'more than one address'],
    ['Acme «help@example.com» <a@example.com>', 'more than one address'],
    ['Team: a@example.com, b@example.com;', 'more than one address'],
    ['"Acme <support@example.com>"', 'quotes around the whole'],
    ["'support@example.com'", 'quotes around the whole'],
    ['jürgen@example.com', 'before the @'],
    ['support@example..com', 'cannot be one'],
    ['support@.example.com', 'cannot be one'],
    ['.support@example.com', 'cannot be one'],
    ['support@192.0.2.1', 'cannot be one'],
    ['support@[192.0.2.1]', 'cannot be one'],
    ['mailto:support@example.com', 'cannot be one'],
    ['support+{token}@example.com', 'braces'],
  ])('is refused with what is wrong: %j', (text, reason) => {
    expect(readMailbox(text)).toEqual(expect.stringContaining(reason));
  });

  it('may have {token} once before the @ where answers are told apart by it', () => {
    const read = (text: string) => readMailbox(text, { mayHaveToken: true });
    expect(read('Acme <a+{token}@example.com>')).toEqual({ name: 'Acme', address: 'a+{token}@example.com' });
    expect(read('{token}@example.com')).toEqual({ name: '', address: '{token}@example.com' });
    for (const wrong of [
      'a+{token}{token}@example.com',
      'a@{token}.example',
      'a+{tokens}@example.com',
      'a{@b.c',
    ])
      expect(read(wrong)).toEqual(expect.stringContaining('may have {token} once, before the @'));
  });
});

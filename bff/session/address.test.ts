import { describe, expect, it } from 'vitest';
import { foldAddress, isAddress } from './address.ts';

describe('an address', () => {
  it.each(['ada@example.com', 'a.b+c@sub.example.co.uk', "o'neil@example.com", 'jörg@bücher.example'])(
    'can be %s',
    (text) => expect(isAddress(text)).toBe(true),
  );

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a@b@example.com',
    '<ada@example.com',
    'ada@example.com>',
    'ada@example.com,eve@example.com',
    'ada\u200b@example.com',
    'ada@exa\u00admple.com',
    'ada@exa mple.com',
    'ada@example..com',
    'ada@[127.0.0.1]',
    'ada@example.com\r\nBcc: x@y.z',
  ])('cannot be %j', (text) => expect(isAddress(text)).toBe(false));

  it('is the same mailbox in other spellings of its domain and its case, and in no others', () => {
    for (const same of ['ADA@EXAMPLE.COM', 'ada@ｅxample.com', 'Ada@Example.Com'])
      expect(foldAddress(same)).toBe('ada@example.com');
    expect(foldAddress('ada@BÜCHER.example')).toBe('ada@xn--bcher-kva.example');
    for (const other of ['\u212aate@example.com', 'kate@examp1e.com', 'K.ate@example.com'])
      expect(foldAddress(other)).not.toBe('kate@example.com');
  });
});

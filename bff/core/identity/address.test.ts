import { describe, expect, it } from 'vitest';
import { readAddress } from './address.ts';

describe('an address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['a.b+c@sub.example.co.uk', 'a.b+c@sub.example.co.uk'],
    ["o'neil/x=y@example.com", "o'neil/x=y@example.com"],
    ['jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@日本語.jp', 'ada@xn--wgv71a119e.jp'],
    ['ADA@EXAMPLE.COM', 'ada@example.com'],
    ['ada@BÜCHER.example', 'ada@xn--bcher-kva.example'],
    ['ada@ｅxample.com', 'ada@example.com'],
    ['jo\u0308rg@example.com', 'jörg@example.com'],
  ])('%s is read as %s, and that as itself', (text, address) => {
    expect(readAddress(text)).toBe(address);
    expect(readAddress(address)).toBe(address);
  });

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
    'ada@gmail.com/x.attacker.example',
    'ada@gmail.com?x.attacker.example',
    'ada@gmail.com#x.attacker.example',
    'ada@gmail.com\\x.attacker.example',
    'ada@gmail.com:x.attacker.example',
    'ada@gmail.com%00x.attacker.example',
    'ada@gm%61il.com',
    'ada@gmail.com\u2100x.attacker.example',
    'ada@gmail.com／x.attacker.example',
    'ada@gmail。com',
    'ada@0x7f.1',
    'ada@127.0.0.1',
    'ada@127.1',
    'ada@-example.com',
    'ada@example-.com',
    'ada@ex_ample.com',
    'ada@example.com.',
    'ada@.example.com',
    'ada@xn--a.com',
    'ada@www.xn--999999999.com',
    `ada@${'a'.repeat(64)}.com`,
    `${'a'.repeat(244)}@example.com`,
    `${'a'.repeat(230)}@${'日'.repeat(20)}.jp`,
    'half\ud83e@example.com',
  ])('is not %j [identity-49]', (text) => expect(readAddress(text)).toBeNull());

  it.each(['\u017fam@example.com', 'sam@examp1e.com', 'S.am@example.com', 'ѕam@example.com'])(
    '%j is not read as another one that looks the same',
    (text) => expect(readAddress(text)).not.toBe('sam@example.com'),
  );
});

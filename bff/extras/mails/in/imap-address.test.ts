import { describe, expect, it } from 'vitest';
import { readImapAddress } from './imap-address.ts';

describe('the address of a mailbox', () => {
  it('has user, password and folder decoded, and the ports of IMAP', () => {
    expect(readImapAddress('imaps://help%40shop.test:p%40ss%2F%3A%25@mail.shop.test')).toEqual({
      host: 'mail.shop.test',
      port: 993,
      isSecure: true,
      isLoopback: false,
      user: 'help@shop.test',
      password: 'p@ss/:%',
      folder: ['INBOX'],
    });
    expect(readImapAddress('imap://a:b@mail.shop.test/Kunden/Fragen%20%26%20Antworten')).toMatchObject({
      port: 143,
      isSecure: false,
      folder: ['Kunden', 'Fragen & Antworten'],
    });
    expect(readImapAddress('imap://a:b@[::1]:1143/')).toMatchObject({
      host: '::1',
      port: 1143,
      isLoopback: true,
    });
  });

  it.each([
    'https://a:b@mail.shop.test',
    'imaps://mail.shop.test',
    'imaps://a@mail.shop.test',
    'imaps://a:b@',
    'imaps://a:100%@mail.shop.test',
    'imaps://a:b@mail.shop.test/INBOX?UNSEEN',
    'imaps://a:b#c@mail.shop.test',
    'hook',
  ])('is none in %s', (text) => {
    expect(readImapAddress(text)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { splitQuoted } from './quoted.ts';

const quotedBy: Record<string, string> = {
  'Gmail, English': 'On Mon, Aug 26, 2024 at 4:37 PM Support <help@shop.example> wrote:\n\n> Hello\n>\n> Ada',
  'Gmail, with the address on a line of its own':
    'On Mon, Aug 26, 2024 at 4:37 PM Support of the Shop <\nhelp+1234@shop.example> wrote:\n\n> Hello\n',
  'Gmail, German': 'Am Mo., 26. Aug. 2024 um 16:37 Uhr schrieb Support <help@shop.example>:\n> Hallo',
  'Gmail, Russian': 'пн, 26 авг. 2024 г. в 16:37, Support <help@shop.example>:\n\nпривет',
  'Gmail, Chinese': 'Support <help@shop.example> 于2024年8月26日周一 16:37写道：\n\n> 您好',
  'Gmail, Japanese': '2024年8月26日(月) 16:37 Support <help@shop.example>:\n> こんにちは',
  'Gmail, Persian': 'در تاریخ دوشنبه ۲۶ اوت ۲۰۲۴ ساعت ۱۶:۳۷ Support <help@shop.example> نوشت:\n> سلام',
  'Gmail, Hebrew':
    '\u200fבתאריך יום ב׳, 26 באוג׳ 2024 ב-16:37 מאת \u202aSupport\u202c\u200f <\u202ahelp@shop.example\u202c\u200f>:\u200f\n> שלום',
  'Apple Mail': '> On 26. Aug 2024, at 16:37, Support <help@shop.example> wrote:\n>\n> Hello',
  'Apple Mail, without an address': 'On Aug 26, 2024, at 4:37 PM, Support wrote:\n\n> Hello',
  'Thunderbird, French': 'Le 26/08/2024 à 16:37, Support a écrit :\n> Bonjour',
  'Yahoo, without signs':
    'On Monday, August 26, 2024 at 04:37:12 PM GMT+2, Support <help@shop.example> wrote:\n\nHello\nAda',
  'Outlook, English':
    'From: Support <help@shop.example>\nSent: Monday, August 26, 2024 4:37 PM\nTo: Ada\nSubject: RE: Order\n\nHello',
  'Outlook, with a line':
    '________________________________\nVon: Support\nGesendet: Montag, 26. August 2024 16:37\nAn: Ada\n\nHallo',
  'Outlook, German': '-----Ursprüngliche Nachricht-----\nVon: Support\nGesendet: 26.08.2024 16:37\n\nHallo',
  'Outlook, Portuguese': '*De:* Support <help@shop.example>\n*Enviado:* 26/08/2024\n*Para:* Ada\n\nOlá',
  Zoho: '---- On Mon, 26 Aug 2024 16:37:00 +0200 help@shop.example wrote ----\n\nHello',
  'a program that breaks lines':
    'On Mon, Aug 26, 2024 at 4:37 PM Support <help@shop.example> wrote:\n> A long line that goes\non here\n> and ends',
};

describe('what a mail program has quoted', () => {
  it.each(Object.keys(quotedBy))('is found below an answer: %s', (program) => {
    const quoted = quotedBy[program]!;
    expect(splitQuoted(`Thank you!\n\nAda\n\n${quoted}`)).toEqual({
      before: 'Thank you!\n\nAda',
      quoted: quoted.trimEnd(),
      after: '',
    });
  });

  it('is found above an answer, and before a signature', () => {
    const quoted = quotedBy['Gmail, English']!;
    expect(splitQuoted(`${quoted}\n\nThank you!`)).toEqual({ before: '', quoted, after: 'Thank you!' });
    expect(splitQuoted(`Thanks!\n\n${quoted}\n\n-- \nAda`)?.after).toBe('-- \nAda');
  });

  it.each([
    [
      'answers between quotes',
      'On Aug 26, 2024, at 4:37 PM, Ada <a@b.example> wrote:\n> A?\n\nYes.\n\n> B?\n\nNo.',
    ],
    ['quotes alone', 'On Aug 26, 2024, at 4:37 PM, Ada <a@b.example> wrote:\n> A?'],
    ['a quote that somebody typed', 'You asked:\n> Can I return it?'],
    [
      'a list with a date and an address',
      'Until 12.3.2024, 10:00 send this to help@shop.example:\n\n- name\n- order',
    ],
    ['a journey', 'My booking\n\nFrom: Berlin\nTo: Paris\nDate: 26 August 2024\nEmail: ada@a.example'],
    ['a form', 'Here it is\n\nName: Ada\nEmail: ada@a.example\nOrder date: 26.08.2024\nPhone: +49 30 123456'],
    ['code', 'The log:\n```\nOn 26 Aug 2024 16:37 Ada <a@b.example> wrote:\n> x\n```'],
    [
      'a mail that is passed on',
      'See below\n\n---------- Forwarded message ---------\nFrom: Ada <a@b.example>\nDate: 26 Aug 2024\nSubject: Order\n\nHello',
    ],
    ['a line with dates', 'I ordered on 26.08.2024 at 16:37:\n\nOne shirt\nTwo shoes'],
    ['a dashed line', 'Total:\n-----\n5 items'],
  ])('is not found in %s', (_, text) => {
    expect(splitQuoted(text)).toBeNull();
  });

  it('and the answer have all words of the text', () => {
    const words = (text: string) => text.split(/\s+/).filter(Boolean);
    for (const quoted of Object.values(quotedBy)) {
      const text = `Above\n\n${quoted}`;
      const { before, quoted: found, after } = splitQuoted(text)!;
      expect(words(`${before} ${found} ${after}`)).toEqual(words(text));
    }
  });
});

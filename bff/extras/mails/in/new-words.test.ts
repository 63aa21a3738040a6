import { describe, expect, it } from 'vitest';
import { languages } from '../../../../shared/i18n/languages.ts';
import { newWords } from './new-words.ts';
import { mailPhrases } from './phrases.ts';

const text = (...lines: string[]) => lines.join('\n');

/** The line that Gmail writes above a quote. */
const introductions: Record<string, string> = {
  en: 'On Mon, 3 Jun 2024 at 10:15, Acme <support@acme.example> wrote:',
  de: 'Am Mo., 3. Juni 2024 um 10:15 Uhr schrieb Acme <support@acme.example>:',
  fr: 'Le lun. 3 juin 2024 à 10:15, Acme <support@acme.example> a écrit :',
  es: 'El lun, 3 jun 2024 a las 10:15, Acme (<support@acme.example>) escribió:',
  'pt-BR': 'Em seg., 3 de jun. de 2024 às 10:15, Acme <support@acme.example> escreveu:',
  it: 'Il giorno lun 3 giu 2024 alle ore 10:15 Acme <support@acme.example> ha scritto:',
  nl: 'Op ma 3 jun 2024 om 10:15 schreef Acme <support@acme.example>:',
  pl: 'pon., 3 cze 2024 o 10:15 Acme <support@acme.example> napisał(a):',
  sv: 'Den mån 3 juni 2024 kl 10:15 skrev Acme <support@acme.example>:',
  tr: 'Acme <support@acme.example>, 3 Haz 2024 Pzt, 10:15 tarihinde şunu yazdı:',
  uk: 'пн, 3 черв. 2024 р. о 10:15 Acme <support@acme.example> пише:',
  ru: 'пн, 3 июн. 2024 г. в 10:15, Acme <support@acme.example>:',
  ar: 'في الاثنين، 3 يونيو 2024 في 10:15 ص تمت كتابة ما يلي بواسطة ‪Acme‬‏ <‪support@acme.example‬‏>:',
  he: '‫בתאריך יום ב׳, 3 ביוני 2024 ב-10:15 מאת ‪Acme‬‏ <‪support@acme.example‬‏>:‬',
  fa: 'در تاریخ دوشنبه ۳ ژوئن ۲۰۲۴،‏ ۱۰:۱۵ Acme <support@acme.example> نوشت:',
  hi: 'सोम, 3 जून 2024 को 10:15 बजे Acme <support@acme.example> ने लिखा:',
  ja: '2024年6月3日(月) 10:15 Acme <support@acme.example>:',
  ko: '2024년 6월 3일 (월) 오전 10:15, Acme <support@acme.example>님이 작성:',
  'zh-Hans': 'Acme <support@acme.example> 于2024年6月3日周一 10:15写道：',
  'zh-Hant': 'Acme <support@acme.example> 於 2024年6月3日 週一 上午10:15寫道：',
  vi: 'Vào Th 2, 3 thg 6, 2024 vào lúc 10:15 Acme <support@acme.example> đã viết:',
  el: 'Στις Δευ 3 Ιουν 2024 στις 10:15 π.μ., ο χρήστης Acme <support@acme.example> έγραψε:',
  hu: 'Acme <support@acme.example> ezt írta (időpont: 2024. jún. 3., H, 10:15):',
  ro: 'În lun., 3 iun. 2024 la 10:15, Acme <support@acme.example> a scris:',
  nb: 'man. 3. juni 2024 kl. 10:15 skrev Acme <support@acme.example>:',
  id: 'Pada Sen, 3 Jun 2024 pukul 10.15 Acme <support@acme.example> menulis:',
};

/** The labels of Outlook's header block, and the line of a phone. */
const outlook: Record<string, [string, string, string, string, string]> = {
  en: ['From', 'Sent', 'To', 'Subject', 'Sent from my iPhone'],
  de: ['Von', 'Gesendet', 'An', 'Betreff', 'Von meinem iPhone gesendet'],
  fr: ['De', 'Envoyé', 'À', 'Objet', 'Envoyé de mon iPhone'],
  es: ['De', 'Enviado', 'Para', 'Asunto', 'Enviado desde mi iPhone'],
  'pt-BR': ['De', 'Enviado', 'Para', 'Assunto', 'Enviado do meu iPhone'],
  it: ['Da', 'Inviato', 'A', 'Oggetto', 'Inviato da iPhone'],
  nl: ['Van', 'Verzonden', 'Aan', 'Onderwerp', 'Verstuurd vanaf mijn iPhone'],
  pl: ['Od', 'Wysłane', 'Do', 'Temat', 'Wysłane z iPhone’a'],
  sv: ['Från', 'Skickat', 'Till', 'Ämne', 'Skickat från min iPhone'],
  tr: ['Kimden', 'Gönderildi', 'Kime', 'Konu', 'iPhone’umdan gönderildi'],
  uk: ['Від', 'Надіслано', 'Кому', 'Тема', 'Надіслано з iPhone'],
  ru: ['От', 'Отправлено', 'Кому', 'Тема', 'Отправлено с iPhone'],
  ar: ['من', 'تاريخ الإرسال', 'إلى', 'الموضوع', 'أُرسلت من الـ iPhone'],
  he: ['מאת', 'נשלח', 'אל', 'נושא', 'נשלח מה-iPhone שלי'],
  fa: ['از', 'ارسال شده', 'به', 'موضوع', 'از iPhone من فرستاده شد'],
  hi: ['प्रेषक', 'भेजा गया', 'प्रति', 'विषय', 'मेरे iPhone से भेजा गया'],
  ja: ['差出人', '送信日時', '宛先', '件名', 'iPhoneから送信'],
  ko: ['보낸 사람', '보낸 날짜', '받는 사람', '제목', '나의 iPhone에서 보냄'],
  'zh-Hans': ['发件人', '发送时间', '收件人', '主题', '发自我的 iPhone'],
  'zh-Hant': ['寄件者', '寄件日期', '收件者', '主旨', '從我的 iPhone 傳送'],
  vi: ['Từ', 'Đã gửi', 'Tới', 'Chủ đề', 'Đã gửi từ iPhone của tôi'],
  el: ['Από', 'Στάλθηκε', 'Προς', 'Θέμα', 'Στάλθηκε από το iPhone μου'],
  hu: ['Feladó', 'Elküldve', 'Címzett', 'Tárgy', 'iPhone-omról küldve'],
  ro: ['De la', 'Trimis', 'Către', 'Subiect', 'Trimis de pe iPhone-ul meu'],
  nb: ['Fra', 'Sendt', 'Til', 'Emne', 'Sendt fra min iPhone'],
  id: ['Dari', 'Dikirim', 'Kepada', 'Subjek', 'Dikirim dari iPhone saya'],
};

describe.each([...languages.map(({ tag }) => tag), 'el', 'hu', 'ro', 'nb'])(
  'the new words of an answer in %s',
  (tag) => {
    const introduction = introductions[tag] ?? '';
    const [from, sent, to, subject, device] = outlook[tag] ?? ['', '', '', '', ''];

    it('end above the line that introduces a quote', () =>
      expect(newWords(text('Yes.', '', introduction, '', '> Is it blue?'))).toBe('Yes.'));

    it('end above the line that introduces history without quote marks', () =>
      expect(newWords(text('Yes.', '', introduction, 'Is it blue?'))).toBe('Yes.'));

    it('begin below a quote, where they stand below', () =>
      expect(newWords(text(introduction, '> Is it blue?', '', 'Yes.'))).toBe('Yes.'));

    it('end above a header block', () =>
      expect(
        newWords(
          text(
            'Yes.',
            '',
            `${from}: Acme`,
            `${sent}: 3.6.2024`,
            `${to}: Eva`,
            `${subject}: Re: Blue`,
            '',
            'Is it blue?',
          ),
        ),
      ).toBe('Yes.'));

    it('have no line of a phone', () => expect(newWords(text('Yes.', '', device))).toBe('Yes.'));

    it('end above “Original Message”', () =>
      expect(newWords(text('Yes.', '', `-----${mailPhrases[tag]?.original[0]}-----`, 'Is it blue?'))).toBe(
        'Yes.',
      ));
  },
);

describe('newWords', () => {
  it('keeps the quotes between answers, and drops the one below them', () =>
    expect(
      newWords(
        text(
          'On 3 Jun 2024, at 10:15, Acme wrote:',
          '> Which colour?',
          'Blue.',
          '> Which size?',
          'Large.',
          '> Regards',
        ),
      ),
    ).toBe('> Which colour?\n\nBlue.\n\n> Which size?\n\nLarge.'));

  it('keeps words above and below a quote that is introduced', () =>
    expect(
      newWords(text('Hello,', 'On 3 Jun 2024, Acme <a@b.example> wrote:', '> Which colour?', '', 'Blue.')),
    ).toBe('Hello,\n\nBlue.'));

  it('keeps what the sender quotes from elsewhere, between words', () =>
    expect(newWords(text('It says:', '> Error 5', 'What now?'))).toBe('It says:\n\n> Error 5\n\nWhat now?'));

  it('keeps what the sender quotes from elsewhere, above the history', () =>
    expect(
      newWords(text('It says:', '', '> Error 5', '', 'On 3 Jun 2024, Acme <a@b.example> wrote:', '> Hello')),
    ).toBe('It says:\n\n> Error 5'));

  it('keeps a short quote from elsewhere at the end, and drops a long one, which is history', () => {
    const quote = (count: number) => text('It says:', '', ...Array.from({ length: count }, () => '> Error'));
    expect([newWords(quote(2)), newWords(quote(20))]).toEqual([quote(2), 'It says:']);
  });

  it('drops a short quote that begins with “Original Message”', () =>
    expect(newWords(text('Yes.', '', '> ----- Original message -----', '>', '> Is it blue?'))).toBe('Yes.'));

  it('is empty for a quote alone', () =>
    expect(newWords(text('On 3 Jun 2024, Acme <a@b.example> wrote:', '> Hello', '> there'))).toBe(''));

  it('reads an introduction over several lines', () =>
    expect(
      newWords(
        text('Yes.', 'On 3 Jun 2024, at 10:15, Acme Support', '<support@acme.example>', 'wrote:', '', '> Hi'),
      ),
    ).toBe('Yes.'));

  it('does not take the line above an introduction for a part of it', () =>
    expect(newWords(text('It came 2024.', '3.6.2024, 10:15, "Acme" <a@b.example>:', '> Hi'))).toBe(
      'It came 2024.',
    ));

  it.each([
    ['a sentence that begins as an introduction', 'On page 3 you wrote:\n\nwe refund within 5 days'],
    ['a list that begins as a header block', 'From: Berlin\nTo: Paris\nDate: 3 May'],
    ['lines of dashes', 'Plan\n----\none\n\n----\ntwo.'],
    ['a sentence that begins as a line of a phone', 'Sent from my desk, as always.'],
    ['a sentence with the verb', 'She wrote on Monday that it works.'],
    ['dashes above a sentence', 'See below\n--\nIt does not work.'],
    ['a greeting with a name', 'It works.\n\nBest regards,\nEva'],
    [
      'a forwarded mail',
      'See this.\n\n---------- Forwarded message ---------\nFrom: X <x@y.example>\nDate: today\nSubject: Offer\nTo: me\n\nBuy',
    ],
  ])('keeps %s', (_, words) => expect(newWords(words)).toBe(words));

  it('keeps all of a mail that is forwarded', () =>
    expect(
      newWords(text('See.', '', 'From: A <a@b.example>', 'Sent: Monday', 'Subject: Offer', '', 'Buy'), {
        isForward: true,
      }),
    ).toContain('Buy'));

  it.each([
    ['two dashes and a space', '-- \nEva\nI have a slogan.'],
    ['two dashes', '--\nEva Blue\nAcme'],
    ['a long dash and an address', '—\nEva Blue\neva@acme.example'],
  ])('cuts a signature below %s', (_, signature) =>
    expect(newWords(`It works.\n\n${signature}`)).toBe('It works.'),
  );

  it('cuts a signature above a quote, and keeps the words below it', () =>
    expect(newWords(text('Hi', '-- ', 'Eva', 'On 3 Jun 2024, A <a@b.example> wrote:', '> x', 'Yes.'))).toBe(
      'Hi\n\nYes.',
    ));

  it('takes the end of a quoted line that was wrapped without a mark for a part of the quote', () =>
    expect(
      newWords(
        text(
          'Yes.',
          'On 3 Jun 2024, A <a@b.example> wrote:',
          `> ${'word '.repeat(13)}word`,
          'longerword again',
          '> more',
          '>',
        ),
      ),
    ).toBe('Yes.'));

  it('cuts the line of an app whose link stands inside it', () =>
    expect(newWords(text('Yes.', '', 'Sent from Mail<https://go.example/?id=5> for Windows 10'))).toBe(
      'Yes.',
    ));
});

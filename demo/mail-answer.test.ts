import nodemailer from 'nodemailer';
import { expect, it } from 'vitest';
import { readMail } from '../scripts/read-mail.ts';
import { answerTo } from './mail-answer.ts';

const to = ['ada@shop.example'];

async function mailed(more: { replyTo?: string; references?: string }) {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const mail = {
    from: 'Acme <a@b.example>',
    to,
    subject: 'Your message',
    text: 'Hi\nAda',
    messageId: '<1@b.example>',
  };
  const { message } = await transport.sendMail({ ...mail, ...more });
  return readMail({ to, text: (message as Buffer).toString() });
}

it('an answer goes to Reply-To, in the thread of the mail that it quotes', async () => {
  const mail = await mailed({ replyTo: 'help+x@b.example', references: '<0@b.example>' });
  const answer = await readMail({ to: [], text: (await answerTo(mail, 'Thank you!'))!.toString() });
  expect(answer.header('To')).toBe('help+x@b.example');
  expect(answer.header('From')).toBe('ada@shop.example');
  expect(answer.header('Subject')).toBe('Re: Your message');
  expect(answer.header('References')).toBe('<0@b.example> <1@b.example>');
  expect(answer.text).toMatch(/^Thank you!\n\nOn .+ wrote:\n> Hi\n> Ada\n/);
});

it('a mail without Reply-To has no answer', async () => {
  expect(await answerTo(await mailed({}), 'Thank you!')).toBeNull();
});

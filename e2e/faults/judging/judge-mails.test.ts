import { expect, it } from 'vitest';
import { judgeMails, type MailedCustomer } from './judge-mails.ts';

const ada: MailedCustomer = {
  email: 'ada@example.com',
  isProven: false,
  readAt: null,
  isSilent: false,
  answer: 'Answer to 1.',
};
const mailed = (id: string, at: number, { more = '', body = 'Hello' } = {}) => ({
  to: [ada.email],
  at,
  text: `Message-ID: <${id}>\r\n${more}Content-Type: text/plain\r\n\r\n${body}`,
});
const answered = (id: string, at: number, body?: string) =>
  mailed(id, at, { more: 'References: <1>\r\n', ...(body !== undefined && { body }) });
const confirmed = mailed('1', 0);

it.each([
  ['a mail that does not come', [confirmed], [], ada, /0 mails, wanted true/],
  ['a mail to who has read', [confirmed, answered('2', 5_000)], [], { ...ada, readAt: 0 }, /wanted false/],
  ['a mail to who wants none', [confirmed, answered('2', 0)], [], { ...ada, isSilent: true }, /wanted false/],
  ['two mails', [confirmed, answered('2', 0), answered('3', 9)], [5], ada, /two mails/],
  ['a repeat without a break', [confirmed, answered('2', 0), answered('2', 9)], [], ada, /for no reason/],
  ['an answer to a typed address', [confirmed, answered('2', 0, ada.answer)], [], ada, /the text is there/],
  ['an answer left out', [confirmed, answered('2', 0)], [], { ...ada, isProven: true }, /or missing/],
  ['no confirmation', [answered('2', 0)], [], ada, /no confirmation/],
])('the judge finds %s', async (_, mails, breaks, customer, shows) => {
  expect((await judgeMails([customer], mails, breaks, 0)).wrong).toEqual([expect.stringMatching(shows)]);
});

it('the judge accepts a repeated mail around a kill or a cut connection, and counts it', async () => {
  expect(await judgeMails([ada], [confirmed, answered('2', 0), answered('2', 9)], [5], 0)).toEqual({
    wrong: [],
    repeats: 1,
  });
});

it('the judge accepts a repeated mail after a mail that the BFF reported as unanswered', async () => {
  expect((await judgeMails([ada], [confirmed, answered('2', 0), answered('2', 9)], [], 1)).wrong).toEqual([]);
});

it('the judge accepts a mail that was sent before its answer was read', async () => {
  expect((await judgeMails([{ ...ada, readAt: 9 }], [confirmed, answered('2', 8)], [], 0)).wrong).toEqual([]);
});

import { expect, it } from 'vitest';
import { judgeAnswers } from './judge-answers.ts';

const asked = [{ ticketId: 'a', email: 'ada@example.com', answers: ['one.', 'two.', 'three.'] }];
const findings = (bodies: string[], { more = [] as string[], mailIds = ['1'] } = {}) =>
  judgeAnswers(
    asked,
    [{ id: 'a', bodies }, ...more.map((id) => ({ id, bodies: [] }))],
    mailIds.map((id) => ({ to: 'ada@example.com', id })),
  );

it('answers are right once, in order, with a line for agents below', () => {
  expect(findings(['one.\n\nDeskside: by mail', 'two.', 'three.'], { mailIds: ['1', '1'] })).toEqual([]);
});

it.each([
  ['a missing one', ['one.', 'three.'], {}, 'lost: “two.”'],
  ['one twice', ['one.', 'two.', 'two.', 'three.'], {}, 'duplicated: “two.”'],
  ['another order', ['two.', 'one.', 'three.'], {}, 'out of order: two. one. three.'],
  ['another text', ['one.', 'two.', 'three.', 'I am away.'], {}, 'strange: I am away.'],
  ['another ticket', ['one.', 'two.', 'three.'], { more: ['b'] }, 'strange: 1 more tickets'],
  ['a second mail', ['one.', 'two.', 'three.'], { mailIds: ['1', '2'] }, '2 mails to ada@example.com'],
])('%s is found', (_what, bodies, more, finding) => {
  expect(findings(bodies, more)).toEqual([expect.stringContaining(finding)]);
});

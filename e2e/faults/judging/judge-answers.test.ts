import { expect, it } from 'vitest';
import { judgeAnswers } from './judge-answers.ts';

const asked = [{ ticketId: 'a', email: 'ada@example.com', answers: ['one.', 'two.', 'three.'] }];
const findings = (bodies: string[], { more = [] as string[], mailedTo = ['ada@example.com'] } = {}) =>
  judgeAnswers(asked, [{ id: 'a', bodies }, ...more.map((id) => ({ id, bodies: [] }))], mailedTo);

it('answers are right once, in order, with a line for agents below', () => {
  expect(findings(['one.\n\nDeskside: by mail', 'two.', 'three.'])).toEqual([]);
});

it.each([
  ['a missing one', ['one.', 'three.'], {}, 'lost: “two.”'],
  ['one twice', ['one.', 'two.', 'two.', 'three.'], {}, 'duplicated: “two.”'],
  ['another order', ['two.', 'one.', 'three.'], {}, 'out of order: two. one. three.'],
  ['an automatic one', ['one.', 'two.', 'three.', 'I am away.'], {}, 'strange: I am away.'],
  ['a ticket of an automatic one', ['one.', 'two.', 'three.'], { more: ['b'] }, 'strange: 1 more tickets'],
  [
    'a mail to a machine',
    ['one.', 'two.', 'three.'],
    { mailedTo: ['list@x.test'] },
    'answered by us: list@x.test',
  ],
])('%s is found', (_what, bodies, more, finding) => {
  expect(findings(bodies, more)).toEqual([expect.stringContaining(finding)]);
});

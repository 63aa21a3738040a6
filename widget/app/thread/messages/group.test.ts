import { expect, it } from 'vitest';
import { aMessage } from '../../testing/fakes.ts';
import { groupMessages } from './Groups.tsx';

const messages = ['10:00', '10:01', '10:02'].map((time, place) =>
  aMessage({ id: `m${place}`, created_at: `2026-11-21T${time}:00Z` }),
);
const shape = (markId: string | null) =>
  groupMessages(messages, markId).map(({ isMark, messages: group }) => [isMark, group.length]);

it('the first new message begins a new group', () => {
  expect(shape(null)).toEqual([[false, 3]]);
  expect(shape('m1')).toEqual([
    [false, 1],
    [true, 2],
  ]);
  expect(shape('gone')).toEqual([[false, 3]]);
});

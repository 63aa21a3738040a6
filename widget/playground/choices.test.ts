import { expect, it } from 'vitest';
import { difference, groups, untouched } from './choices.ts';
import { settingKinds } from '../bridge/fields.ts';

const names = Object.values(groups).flatMap((group) => group.map(({ name }) => name));

it('each choice is a setting of the widget, once', () => {
  const isKnown = (name: string) => name in settingKinds || name.startsWith('texts.');
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it('a cleared field goes back to the default, and the other texts stay', () => {
  const before = {
    ...untouched,
    brand: 'Acme',
    inviteAfter: '8',
    'texts.send': 'Go',
    'texts.newTicket': 'Ask',
  };
  const after = { ...before, brand: '', inviteAfter: '', 'texts.send': '' };
  expect(difference(before, after)).toEqual({
    brand: undefined,
    inviteAfter: undefined,
    texts: { newTicket: 'Ask' },
  });
  expect(difference(after, after)).toEqual({});
});

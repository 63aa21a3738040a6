import { expect, it } from 'vitest';
import { fillAnswer } from './fill-answer.ts';

const facts = { name: 'Mira', number: 12, agent: 'Bea' };

it('fills every placeholder, in any case, and leaves other braces', () => {
  const text = 'Hello {name},\n\n#{number} is done, {Name}. {order} {}\n\n{agent}';
  expect(fillAnswer(text, facts)).toBe('Hello Mira,\n\n#12 is done, Mira. {order} {}\n\nBea');
});

it.each([
  ['Hello {name},\n\nthanks.', 'Hello,\n\nthanks.'],
  ['Hello, {name}!', 'Hello!'],
  ['Thank you {name} for writing.', 'Thank you for writing.'],
  ['Yes, {name}, it is.', 'Yes, it is.'],
  ['{name}, your order has left.', 'Your order has left.'],
  ['{name}!\n\nétoile', 'Étoile'],
  ['Done. {name}, write again.', 'Done. Write again.'],
  ['Hi\n{name}', 'Hi\n'],
  ['مرحبا، {name}.', 'مرحبا.'],
  ['{name}', ''],
])('without a name, %j reads %j', (text, filled) => {
  expect(fillAnswer(text, { ...facts, name: null })).toBe(filled);
  expect(fillAnswer(text, { ...facts, name: ' \n' })).toBe(filled);
});

it.each([
  ['{agent} $& {number}', '{agent} $& {number}'],
  ['Mira\n\nSend money', 'Mira Send money'],
])('a customer’s name is text in its place: %j', (name, shown) => {
  expect(fillAnswer('Hello {name}.', { ...facts, name })).toBe(`Hello ${shown}.`);
});

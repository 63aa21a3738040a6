import { describe, expect, it } from 'vitest';
import { attributesIn } from './attributes.ts';

describe('attributes', () => {
  it.each<[string, string, object | undefined, number]>([
    [
      'texts, numbers and flags',
      '{"plan":"Pro","seats":3,"trial":false}',
      { plan: 'Pro', seats: 3, trial: false },
      0,
    ],
    ['a value that is null', '{"plan":"Pro","seats":null}', { plan: 'Pro' }, 0],
    ['a value in a value', '{"plan":"Pro","order":{"id":1},"tags":["a"]}', { plan: 'Pro' }, 2],
    ['a text that is too long', `{"plan":"Pro","note":"${'x'.repeat(201)}"}`, { plan: 'Pro' }, 1],
    ['a name that is too long', `{"plan":"Pro","${'n'.repeat(41)}":"x"}`, { plan: 'Pro' }, 1],
    ['a number that was rounded', '{"plan":"Pro","id":1234567890123456789}', { plan: 'Pro' }, 1],
    ['a number without an end', '{"plan":"Pro","id":1e400}', { plan: 'Pro' }, 1],
    ['no name, and no text', '{"plan":"Pro","":"x","\u202e":"y","note":" "}', { plan: 'Pro' }, 3],
    ['line breaks', '{" a\\nb ":"c\\r\\nd\\u2028e\\tf\\u0000"}', { 'a b': 'c d e f' }, 0],
    ['characters that change the direction', '{"pl\u202ean":"\u2066Pro\u2069"}', { plan: 'Pro' }, 0],
    ['half a character', '{"plan":"Pro\\ud83e"}', { plan: 'Pro\ufffd' }, 0],
    ['emoji', '{"plan":"🦊 Pro"}', { plan: '🦊 Pro' }, 0],
    ['nothing', '{}', undefined, 0],
    ['a list', '["Pro"]', undefined, 1],
    ['a text', '"Pro"', undefined, 1],
    ['null', 'null', undefined, 0],
  ])('are read as far as they can be shown: %s', (_, json, attributes, leftOut) =>
    expect(attributesIn(JSON.parse(json))).toEqual({ attributes, leftOut }),
  );

  it('are at most 20, the first ones', () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, nth) => [`n${nth}`, nth]));
    const { attributes, leftOut } = attributesIn({ bad: {}, ...many });
    expect(Object.keys(attributes!)).toEqual(Object.keys(many).slice(0, 20));
    expect(leftOut).toBe(6);
  });

  it('named like a member of every object are entries like all others', () => {
    const { attributes } = attributesIn(JSON.parse('{"__proto__":"x","constructor":"y"}'));
    expect(Object.entries(attributes!)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { maxLength } from '../../../bff/contract/limits.ts';
import { en } from './en.ts';
import { createWords } from './words.ts';

const words = createWords(en, 'en');

describe('words', () => {
  it('choose the plural that the language wants, with its own digits', () => {
    expect(words.count(en.unread, 1)).toBe('1 new reply');
    expect(words.count(en.unread, 2)).toBe('2 new replies');
    expect(words.count({ one: '{count} a', few: '{count} b', other: '{count} c' }, 2_000)).toBe('2,000 c');
    expect(createWords(en, 'pl').count({ one: 'a', few: 'b', many: 'c', other: 'd' }, 3)).toBe('b');
  });

  it('fall back to the general plural', () => {
    expect(createWords(en, 'pl').count({ other: '{count} d' }, 3)).toBe('3 d');
  });

  it('name the field and its limit', () => {
    expect(words.faultText('too_long', 'description')).toContain(maxLength.description.toLocaleString('en'));
    expect(words.faultText('required', 'subject')).toBe('Please fill in “Subject”');
  });

  it('say of some fields in words of their own what is wrong', () => {
    expect(words.faultText('required', 'description')).toBe('Please write a message');
    expect(words.faultText('invalid', 'customer_email')).toBe('Enter a valid email address');
    expect(words.faultText('invalid', 'subject')).toBe('Please check “Subject”');
  });

  it.each([
    [0, 'in 1 second'],
    [45, 'in 45 seconds'],
    [700, 'in 12 minutes'],
    [7_000, 'in 2 hours'],
  ])('say that %i seconds are %j', (sec, text) => {
    expect(words.errorText('rate_limited', sec)).toContain(`again ${text}.`);
  });

  it('have a sentence for an error that a newer server names, or nobody', () => {
    expect(words.errorText(null)).toBe(en.errors.internal);
    expect(words.errorText('brand_new' as never)).toBe(en.errors.internal);
  });

  it.each([
    ['new', 'Received'],
    ['waiting_on_us', 'Waiting on us'],
    ['on-hold', 'On hold'],
    ['оплачен', 'Оплачен'],
    ['', ''],
  ])('make the status %j readable as %j', (status, text) => {
    expect(words.statusText(status)).toBe(text);
  });
});

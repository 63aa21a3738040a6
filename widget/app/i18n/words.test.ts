import { describe, expect, it } from 'vitest';
import { maxLength } from '../../../shared/contract/limits.ts';
import { en } from '../../../shared/i18n/en.ts';
import { createWords } from './words.ts';

const words = createWords(en, 'en');

describe('words', () => {
  it('use the language’s plural forms and digits', () => {
    expect(words.count(en.unread, 1)).toBe('1 new reply');
    expect(words.count(en.unread, 2)).toBe('2 new replies');
    expect(words.count({ one: '{count} a', few: '{count} b', other: '{count} c' }, 2_000)).toBe('2,000 c');
    expect(createWords(en, 'pl').count({ one: 'a', few: 'b', many: 'c', other: 'd' }, 3)).toBe('b');
  });

  it('fall back to the plural form “other”', () => {
    expect(createWords(en, 'pl').count({ other: '{count} d' }, 3)).toBe('3 d');
  });

  it('name the field and its limit', () => {
    expect(words.fieldErrorText('too_long', 'description')).toContain(
      maxLength.description.toLocaleString('en'),
    );
    expect(words.fieldErrorText('required', 'subject')).toBe('Please fill in “Subject”');
  });

  it('have specific sentences for some fields', () => {
    expect(words.fieldErrorText('required', 'description')).toBe('Please write a message');
    expect(words.fieldErrorText('invalid', 'customer_email')).toBe('Enter a valid email address');
    expect(words.fieldErrorText('invalid', 'subject')).toBe('Please check “Subject”');
  });

  it.each([
    [0, 'in 1 second'],
    [45, 'in 45 seconds'],
    [700, 'in 12 minutes'],
    [7_000, 'in 2 hours'],
  ])('give %i seconds as %j', (sec, text) => {
    expect(words.errorText('rate_limited', sec)).toContain(`again ${text}.`);
  });

  it('have a sentence for an unknown error code, and for none', () => {
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

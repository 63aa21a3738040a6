import { describe, expect, it } from 'vitest';
import { maxAnswerLength } from '../../../shared/contract/form.ts';
import { formFile, formOf } from './testing/form.ts';
import { createAnswerReader } from './answers.ts';

const form = formOf();
const read = createAnswerReader(form);
const answer = (fields: Record<string, string | boolean>, more = {}) =>
  read({
    version: form.version,
    topic: 'order',
    fields: { 'order-number': 'AB-123456', ...fields },
    ...more,
  });
const valuesOf = ({ values }: ReturnType<typeof read>) =>
  Object.fromEntries(values.map(([{ id }, value]) => [id, value]));

describe('answers', () => {
  it('that are valid are accepted, with texts in canonical form', () => {
    const taken = answer({ 'order-number': '  AB-123456 ', shop: 'berlin', urgent: true });
    expect(taken.errors).toEqual({});
    expect(taken.topic?.id).toBe('order');
    expect(valuesOf(taken)).toEqual({ 'order-number': 'AB-123456', shop: 'berlin', urgent: true });
  });

  it('that match the pattern in plain characters only are taken in those', () => {
    const taken = answer({ 'order-number': '\u200fＡＢ－۱۲۳٤٥٦' });
    expect(valuesOf(taken)).toEqual({ 'order-number': 'AB-123456' });
  });

  it('that are optional can be left out', () => {
    const taken = answer({ shop: '', urgent: false });
    expect(taken.errors).toEqual({});
    expect(valuesOf(taken)).toEqual({ 'order-number': 'AB-123456' });
  });

  it.each([
    ['too short for the pattern', { 'order-number': 'AB-1' }, 'form.order-number', 'invalid'],
    ['longer than the pattern', { 'order-number': 'AB-123456 or so' }, 'form.order-number', 'invalid'],
    ['empty, but required', { 'order-number': ' ' }, 'form.order-number', 'required'],
    ['no text', { 'order-number': true }, 'form.order-number', 'invalid'],
    ['of two lines', { 'order-number': 'AB-123456\nX' }, 'form.order-number', 'invalid'],
    ['too long', { 'order-number': 'x'.repeat(maxAnswerLength + 1) }, 'form.order-number', 'too_long'],
    ['no option', { shop: 'paris' }, 'form.shop', 'invalid'],
    ['neither ticked nor not', { urgent: 'yes' }, 'form.urgent', 'invalid'],
    ['to no field', { colour: 'red' }, 'form.colour', 'invalid'],
  ])('that are %s are invalid', (_, fields, name, error) => {
    expect(answer(fields as Record<string, string>).errors).toEqual({ [name]: error });
  });

  it('to a field of another topic are invalid, and the field is not required', () => {
    expect(answer({}, { topic: 'other' }).errors).toEqual({ 'form.order-number': 'invalid' });
    expect(read({ version: form.version, topic: 'other' }).errors).toEqual({});
  });

  it('without a topic are complete, unless the operator requires one', () => {
    expect(read({ version: form.version }).errors).toEqual({});
    const strict = createAnswerReader(formOf({ ...formFile, topicRequired: true }));
    expect(strict({ version: form.version }).errors).toEqual({ topic: 'required' });
    expect(strict({ version: form.version, topic: 'unknown' }).errors).toEqual({ topic: 'invalid' });
  });

  it('require the ticked box of a consent, and not its text', () => {
    const withConsent = (type: string) =>
      createAnswerReader(formOf({ consent: { type, text: 'I agree.' } }))({ version: '' });
    expect(withConsent('checkbox').errors).toEqual({ consent: 'required' });
    expect(withConsent('line')).toMatchObject({ errors: {}, isAgreed: false });
  });

  it('are checked in linear time, whatever the pattern', () => {
    const fields = [{ id: 'a', label: 'A', type: 'text', pattern: '(a+)+b' }];
    const slow = createAnswerReader(formOf({ fields }));
    expect(slow({ version: '', fields: { a: 'a'.repeat(maxAnswerLength) } }).errors).toEqual({
      'form.a': 'invalid',
    });
  });
});

import type { FieldFault } from '../../../shared/contract/errors.ts';
import { type FormField, maxAnswerLength, type SiteForm } from '../../../shared/contract/form.ts';
import { plainly } from '../../../shared/contract/typed.ts';

export type Answer = string | boolean;

/** Whether a text matches a pattern. A pattern that this browser cannot read is checked by the BFF alone. */
function createMatcher(pattern: string): (text: string) => boolean {
  try {
    const compiled = new RegExp(`^(?:${pattern})$`, 'u');
    return (text) => compiled.test(text);
  } catch {
    return () => true;
  }
}

/** The check of one answer, which finds the error that the BFF would report. */
export function createAnswerCheck(form: SiteForm) {
  const matchers = new Map(
    form.fields.map((field) => [field.id, createMatcher((field.type === 'text' && field.pattern) || '[^]*')]),
  );

  return (field: FormField, value: Answer): FieldFault | undefined => {
    if (value === '' || value === false) return field.required ? 'required' : undefined;
    if (typeof value !== 'string') return undefined;
    if (field.type === 'choice') return field.options.some(({ id }) => id === value) ? undefined : 'invalid';
    if (value.length > maxAnswerLength) return 'too_long';
    return [value, plainly(value)].some(matchers.get(field.id)!) ? undefined : 'invalid';
  };
}

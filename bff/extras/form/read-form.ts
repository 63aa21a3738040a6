import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Form, formSchema } from './schema.ts';

/** The form is part of the document of every customer. */
const maxLength = 32_768;

/**
 * Reads the content of the operator's file. `errors`: each with its place in the file; empty when the form is valid.
 */
export function readForm(content: string): { form: Form; errors: [] } | { form: null; errors: string[] } {
  if (content.length > maxLength) return { form: null, errors: [`has more than ${maxLength} characters`] };
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    return { form: null, errors: [`is no JSON: ${(error as Error).message}`] };
  }
  const parsed = formSchema.safeParse(json);
  if (!parsed.success)
    return {
      form: null,
      errors: parsed.error.issues.map(({ path, message }) =>
        path.length > 0 ? `${z.core.toDotPath(path)}: ${message}` : message,
      ),
    };
  const { $schema: _editors, ...form } = parsed.data;
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { form: { ...form, version }, errors: [] };
}

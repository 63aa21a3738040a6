import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Form, formSchema } from './schema.ts';

/** The form stands in the document of every customer. */
const maxLength = 32_768;

/** Reads the content of the operator's file. `faults`: each with its place in the file, empty where there is none. */
export function readForm(content: string): { form: Form; faults: [] } | { form: null; faults: string[] } {
  if (content.length > maxLength) return { form: null, faults: [`has more than ${maxLength} characters`] };
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch (error) {
    return { form: null, faults: [`is no JSON: ${(error as Error).message}`] };
  }
  const parsed = formSchema.safeParse(json);
  if (!parsed.success)
    return {
      form: null,
      faults: parsed.error.issues.map(({ path, message }) =>
        path.length > 0 ? `${z.core.toDotPath(path)}: ${message}` : message,
      ),
    };
  const { $schema: _editors, ...form } = parsed.data;
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { form: { ...form, version }, faults: [] };
}

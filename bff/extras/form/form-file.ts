import { createHash } from 'node:crypto';
import { RE2JS } from 're2js';
import { z } from 'zod';
import { fileLabel } from '../../../shared/contract/files.ts';
import { isWebAddress, maxAnswerLength, splitLinks } from '../../../shared/contract/form.ts';
import { priorities } from '../../../shared/contract/tickets.ts';
import { isLine, sentence } from '../../core/text/sentence.ts';

/*
 * The file that `FORM_FILE` names: what may be in it, its errors, and the form that it describes. It knows nothing of
 * tickets and their answers.
 */

/**
 * Creates a function that checks whether a whole text matches a pattern. For every pattern it takes time linear in the
 * text.
 * @throws when the pattern cannot be checked in linear time, such as one with a backreference, or when browsers do
 * not accept it
 */
export function createMatcher(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  // As browsers compile the `pattern` attribute.
  void new RegExp(`^(?:${pattern})$`, 'u');
  return (text) => compiled.matches(text);
}

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be up to 40 of a to z, digits and hyphens, a letter first')
  // Every object has a property of this name.
  .refine((value) => value !== 'constructor', 'is reserved');
/** SECURITY: an answer below such a label could look like a line of ours, which agents open. */
const isReserved = (text: string | undefined) =>
  text?.split(':', 1)[0]!.trim().toLowerCase() === fileLabel.toLowerCase();
const label = sentence(80).refine(
  (value) => !Object.values(typeof value === 'string' ? [value] : value).some(isReserved),
  `must not be "${fileLabel}", which names the files of customers`,
);
const required = z.boolean().optional().describe('The ticket is not sent without an answer.');

const topic = z.strictObject({
  id,
  label,
  priority: z.enum(priorities).optional().describe('Sent unless the customer has chosen one.'),
  hint: sentence(300).optional().describe('Said once the topic is chosen.'),
  articles: z.array(z.string().min(1).max(100)).max(10).optional().describe('Ids of articles about it.'),
  fields: z.array(id).max(20).optional().describe('Ids of fields that are asked for with this topic only.'),
});

const text = z.strictObject({
  id,
  label,
  type: z.literal('text'),
  required,
  pattern: z
    .string()
    .max(500)
    .superRefine((pattern, { addIssue }) => {
      try {
        createMatcher(pattern);
      } catch (error) {
        addIssue(`cannot be checked: ${(error as Error).message}`);
      }
    })
    .optional()
    .describe('A regular expression for the whole answer. RE2 has no backreferences and no lookaround.'),
  example: z
    .string()
    .refine(isLine(maxAnswerLength), `must be one line of 1 to ${maxAnswerLength} characters`)
    .optional(),
});
const choice = z.strictObject({
  id,
  label,
  type: z.literal('choice'),
  required,
  options: z.array(z.strictObject({ id, label })).min(1).max(50),
});
const checkbox = z.strictObject({ id, label, type: z.literal('checkbox'), required });

const consent = z.strictObject({
  type: z.enum(['checkbox', 'line']).describe('line: to send is to agree.'),
  text: sentence(1_000)
    .refine(
      (value) =>
        Object.values(typeof value === 'string' ? [value] : value).every((each) =>
          splitLinks(each ?? '').every((part) => typeof part === 'string' || isWebAddress(part.address)),
        ),
      'has a link that is not http or https',
    )
    .describe('May have links: [text](https://…).'),
});

/** Where in the file the error is, and what it says. */
type FileError = [path: readonly PropertyKey[], message: string];

type Item = Partial<Record<string, unknown>>;

const listOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.map((each) => Object(each) as Item) : [];

/**
 * Errors between the parts of a file: repeated ids, ids that do not exist, examples that their pattern refuses.
 * Accepts parts that are invalid themselves, so that all errors are reported at once.
 */
function wrongReferencesIn(file: unknown): FileError[] {
  const written = Object(file) as Item;
  const topics = listOf(written['topics']);
  const fields = listOf(written['fields']);
  const errors: FileError[] = [
    ...repeated(['topics'], topics),
    ...repeated(['fields'], fields),
    ...fields.flatMap((field, at) => repeated(['fields', at, 'options'], listOf(field['options']))),
  ];
  if (topics.length === 0 && fields.length === 0 && written['consent'] === undefined)
    errors.push([[], 'has neither topics nor fields nor consent']);
  if (written['topicRequired'] && topics.length === 0)
    errors.push([['topicRequired'], 'there are no topics']);
  topics.forEach((each, at) => {
    const names: unknown[] = Array.isArray(each['fields']) ? each['fields'] : [];
    names.forEach((name, nth) => {
      if (!fields.some((field) => field['id'] === name))
        errors.push([['topics', at, 'fields', nth], 'is the id of no field']);
    });
  });
  fields.forEach((field, at) => {
    if (isRefusedExample(field)) errors.push([['fields', at, 'example'], 'does not match the pattern']);
  });
  return errors;
}

const repeated = (path: PropertyKey[], items: readonly Item[]): FileError[] =>
  items.flatMap((item, at): FileError[] =>
    item['id'] !== undefined && items.findIndex((each) => each['id'] === item['id']) !== at
      ? [[[...path, at, 'id'], 'stands twice']]
      : [],
  );

function isRefusedExample({ pattern, example }: Item): boolean {
  if (typeof pattern !== 'string' || typeof example !== 'string') return false;
  try {
    return !createMatcher(pattern)(example);
  } catch {
    // The pattern itself is invalid, which is reported elsewhere.
    return false;
  }
}

const fileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    topicLabel: label.optional().describe('What the topics are called together; "Topic" unless set.'),
    topicRequired: z.boolean().optional(),
    topics: z.array(topic).max(12).default([]),
    fields: z
      .array(z.discriminatedUnion('type', [text, choice, checkbox]))
      .max(20)
      .default([]),
    consent: consent.optional(),
  })
  .superRefine(
    (file, { addIssue }) => {
      for (const [path, message] of wrongReferencesIn(file))
        addIssue({ code: 'custom', path: [...path], message, input: undefined });
    },
    // Runs also when other checks fail, so that all errors are reported at once.
    { when: () => true },
  );

/** The operator's form. `version`: a short hash of its file. */
export interface Form extends Omit<z.output<typeof fileSchema>, '$schema'> {
  version: string;
}

/** The JSON schema with which editors check the file. */
export const formJsonSchema = () => ({
  title: 'The form of new tickets, as FORM_FILE names it',
  ...z.toJSONSchema(fileSchema, { io: 'input' }),
});

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
  const parsed = fileSchema.safeParse(json);
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

import { z } from 'zod';
import { languages } from '../../../shared/i18n/languages.ts';
import { isWebAddress, maxAnswerLength, splitLinks } from '../../../shared/contract/form.ts';
import { priorities } from '../../../shared/contract/tickets.ts';
import { line } from '../../core/text/fields.ts';
import { createMatcher } from './pattern.ts';
import { findWrongReferences } from './references.ts';

const tags = languages.map(({ tag }) => tag) as [string, ...string[]];

/** One sentence, or one for each language. */
const sentence = (max: number) =>
  z
    .union(
      [z.string(), z.partialRecord(z.enum(tags), z.string())],
      `must be a sentence, or sentences by language: ${tags.join(', ')}`,
    )
    .refine((value) => typeof value === 'string' || Object.keys(value).length > 0, 'has no sentence')
    .refine(
      (value) => Object.values(typeof value === 'string' ? [value] : value).every(isLine(max)),
      `must be one line of 1 to ${max} characters`,
    );
const isLine = (max: number) => (text: string | undefined) => line(max).safeParse(text).success;

const id = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be up to 40 of a to z, digits and hyphens, a letter first')
  // Every object has a property of this name.
  .refine((value) => value !== 'constructor', 'is reserved');
const label = sentence(80);
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

/** The file that `FORM_FILE` names. */
export const formSchema = z
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
      for (const { path, message } of findWrongReferences(file))
        addIssue({ code: 'custom', path, message, input: undefined });
    },
    // Runs also when other checks fail, so that all errors are reported at once.
    { when: () => true },
  );

type Written = z.output<typeof formSchema>;

/** The operator's form. `version`: a short hash of its file. */
export interface Form extends Omit<Written, '$schema'> {
  version: string;
}

/** The JSON schema with which editors check the file. */
export const formJsonSchema = () => ({
  title: 'The form of new tickets, as FORM_FILE names it',
  ...z.toJSONSchema(formSchema, { io: 'input' }),
});

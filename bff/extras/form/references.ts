import { createMatcher } from './pattern.ts';

/** An error at a place in the file. */
export interface FormError {
  path: PropertyKey[];
  message: string;
}

type Item = Partial<Record<string, unknown>>;

const listOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.map((each) => Object(each) as Item) : [];

/**
 * Errors between the parts of a file: repeated ids, ids that do not exist, examples that their pattern refuses.
 * Accepts parts that are invalid themselves, so that all errors are reported at once.
 */
export function findWrongReferences(file: unknown): FormError[] {
  const { topics: givenTopics, fields: givenFields, consent, topicRequired } = Object(file) as Item;
  const topics = listOf(givenTopics);
  const fields = listOf(givenFields);
  const errors: FormError[] = [
    ...repeated(['topics'], topics),
    ...repeated(['fields'], fields),
    ...fields.flatMap((field, at) => repeated(['fields', at, 'options'], listOf(field['options']))),
  ];
  if (topics.length === 0 && fields.length === 0 && consent === undefined)
    errors.push({ path: [], message: 'has neither topics nor fields nor consent' });
  if (topicRequired && topics.length === 0)
    errors.push({ path: ['topicRequired'], message: 'there are no topics' });
  topics.forEach((topic, at) => {
    const names: unknown[] = Array.isArray(topic['fields']) ? topic['fields'] : [];
    names.forEach((name, nth) => {
      if (!fields.some((field) => field['id'] === name))
        errors.push({ path: ['topics', at, 'fields', nth], message: 'is the id of no field' });
    });
  });
  fields.forEach((field, at) => {
    if (isRefusedExample(field))
      errors.push({ path: ['fields', at, 'example'], message: 'does not match the pattern' });
  });
  return errors;
}

const repeated = (path: PropertyKey[], items: readonly Item[]): FormError[] =>
  items.flatMap((item, at) =>
    item['id'] !== undefined && items.findIndex((each) => each['id'] === item['id']) !== at
      ? [{ path: [...path, at, 'id'], message: 'stands twice' }]
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

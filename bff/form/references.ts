import { createMatcher } from './pattern.ts';

/** A place in the file and what is wrong there. */
export interface Fault {
  path: PropertyKey[];
  message: string;
}

type Item = Partial<Record<string, unknown>>;

const listOf = (value: unknown): Item[] =>
  Array.isArray(value) ? value.map((each) => Object(each) as Item) : [];

/**
 * What is wrong between the parts of a file: ids that stand twice or name nothing, examples that their pattern refuses.
 * The parts themselves may be wrong in any way, so that all faults are told at once.
 */
export function findWrongReferences(file: unknown): Fault[] {
  const { topics: givenTopics, fields: givenFields, consent, topicRequired } = Object(file) as Item;
  const topics = listOf(givenTopics);
  const fields = listOf(givenFields);
  const faults: Fault[] = [
    ...repeated(['topics'], topics),
    ...repeated(['fields'], fields),
    ...fields.flatMap((field, at) => repeated(['fields', at, 'options'], listOf(field['options']))),
  ];
  if (topics.length === 0 && fields.length === 0 && consent === undefined)
    faults.push({ path: [], message: 'has neither topics nor fields nor consent' });
  if (topicRequired && topics.length === 0)
    faults.push({ path: ['topicRequired'], message: 'there are no topics' });
  topics.forEach((topic, at) => {
    const names: unknown[] = Array.isArray(topic['fields']) ? topic['fields'] : [];
    names.forEach((name, nth) => {
      if (!fields.some((field) => field['id'] === name))
        faults.push({ path: ['topics', at, 'fields', nth], message: 'is the id of no field' });
    });
  });
  fields.forEach((field, at) => {
    if (isRefusedExample(field))
      faults.push({ path: ['fields', at, 'example'], message: 'does not match the pattern' });
  });
  return faults;
}

const repeated = (path: PropertyKey[], items: readonly Item[]): Fault[] =>
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
    // The pattern has a fault of its own.
    return false;
  }
}

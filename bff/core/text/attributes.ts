import { readAttributes, type Attributes } from '../../../shared/contract/attributes.ts';
import { oneLine } from './canonical.ts';

/**
 * The attributes in an unchecked value, each as one line of text; undefined when there are none. `leftOut`: how many
 * entries are no attributes, or too many. Null means that there is no value.
 */
export function attributesIn(given: unknown): { attributes: Attributes | undefined; leftOut: number } {
  if (given === undefined || given === null) return { attributes: undefined, leftOut: 0 };
  if (typeof given !== 'object' || Array.isArray(given)) return { attributes: undefined, leftOut: 1 };
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  const lines = entries.map(([name, value]: [string, unknown]) => [
    oneLine(name),
    typeof value === 'string' ? oneLine(value) : value,
  ]);
  const attributes = readAttributes(
    Object.fromEntries(lines.filter(([name, value]) => name !== '' && value !== '')),
  );
  const count = Object.keys(attributes).length;
  return { attributes: count > 0 ? attributes : undefined, leftOut: entries.length - count };
}

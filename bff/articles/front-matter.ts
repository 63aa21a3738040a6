import { z } from 'zod';

const schema = z.strictObject({
  /** Its place among the most useful articles. */
  pinned: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .optional(),
});

export type FrontMatter = z.output<typeof schema>;

/**
 * Splits the front matter off an article. `body` has empty lines in its place, so that line numbers stay correct.
 * `values` is null when the front matter is invalid.
 */
export function splitFrontMatter(text: string): { values: FrontMatter | null; body: string } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (lines[0]?.trim() !== '---') return { values: {}, body: lines.join('\n') };
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---');
  if (end < 0) return { values: null, body: lines.join('\n') };
  const entries = lines.slice(1, end).flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [name, ...value] = line.split(':');
    return [[name!.trim(), value.join(':').trim()]];
  });
  const body = [...Array.from({ length: end + 1 }, () => ''), ...lines.slice(end + 1)].join('\n');
  const parsed = schema.safeParse(Object.fromEntries(entries));
  return { values: parsed.success ? parsed.data : null, body };
}

import { isMap, parseDocument } from 'yaml';

export interface FrontMatter {
  title?: string;
  /** Its place among the most useful articles. */
  pinned?: number;
}

interface Split {
  values: FrontMatter;
  /** What of the front matter is not read. */
  ignored?: string;
  /** The article, with empty lines for its front matter, so that line numbers stay correct. */
  body: string;
}

/** A line that ends front matter, by the line that begins it. JSON is YAML, too. */
const ends = new Map([
  ['---', /^(?:---|\.\.\.)$/],
  ['{', /^\}$/],
  ['+++', /^\+\+\+$/],
]);

const isNumber = (text: string) => /^\d{1,4}$/.test(text);

/** Null for what is no front matter, such as text between two rules. */
function readYaml(text: string): Omit<Split, 'body'> | null {
  const { contents, errors } = parseDocument(text, { prettyErrors: false });
  const [error] = errors;
  if (error) return /^[\w-]+[ \t]*:/m.test(text) ? { values: {}, ignored: error.message } : null;
  if (!isMap(contents)) return contents ? null : { values: {} };
  const values: FrontMatter = {};
  const ignored: string[] = [];
  for (const { key } of contents.items) {
    const name = String(key);
    const value = contents.get(key);
    const plain = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (name === 'title' && plain) values.title = plain;
    else if (name === 'pinned' && isNumber(plain)) values.pinned = Number(plain);
    else ignored.push(name);
  }
  return { values, ...(ignored.length > 0 && { ignored: ignored.join(', ') }) };
}

/** Splits the front matter off an article. Without an end it is text. */
export function splitFrontMatter(text: string): Split {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const first = lines[0]!.trimEnd();
  const end = ends.get(first);
  const last = end ? lines.findIndex((line, at) => at > 0 && end.test(line.trimEnd())) : -1;
  const whole = { values: {}, body: lines.join('\n') };
  if (last < 0) return whole;
  const isJson = first === '{';
  const content = lines.slice(isJson ? 0 : 1, isJson ? last + 1 : last).join('\n');
  const read = first === '+++' ? { values: {}, ignored: 'TOML' } : readYaml(content);
  if (!read) return whole;
  return { ...read, body: '\n'.repeat(last + 1) + lines.slice(last + 1).join('\n') };
}

import { readFile } from 'node:fs/promises';

/** The address that docs/embedding.md has in the place of Deskside's. */
const example = 'https://support.example.com';

/**
 * The code of this language below a heading of docs/embedding.md, as a reader would copy it.
 * @throws when the page has no such recipe
 */
export async function recipe(heading: string, language: string, bff: string): Promise<string> {
  const page = await readFile('docs/embedding.md', 'utf8');
  const section = page.split(/^#+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const code = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1];
  if (!code) throw new Error(`docs/embedding.md has no ${language} recipe below “${heading}”`);
  return code.replaceAll(example, bff);
}

/** The tag, which is the first code of the page. */
export const tag = (bff: string) => recipe('Embedding', 'html', bff);

/** The attributes of the tag, for tools that write tags themselves. */
export async function tagAttributes(bff: string): Promise<Record<string, string | true>> {
  const attributes = /<script ([^>]*)>/.exec(await tag(bff))![1]!;
  return Object.fromEntries(
    [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name!, value ?? true]),
  );
}

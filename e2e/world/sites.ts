import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { fill, type Values } from '../support/fill.ts';
import type { Host, Project } from './project.ts';

/** A site as `sites.yaml` describes it; the fields that `Project` has, too, are filled in from here. */
interface Described extends Omit<Project, 'packages' | 'files' | 'hosts'> {
  packages?: string[];
  /** The recipe of all its hosts, by default the tag. */
  recipe?: string;
  values?: Values;
  files: Record<string, string | null>;
  /** Written once for each host. */
  hostFiles?: Values;
  hosts: DescribedHost[];
}

interface DescribedHost extends Omit<Host, 'recipe' | 'path'> {
  /** The name of its page, where a site has several. */
  slug?: string;
  /** Installed, and shown with its version. */
  package?: string;
  recipe?: string;
  values?: Values;
}

/** The address that docs/embedding.md has in the place of Deskside's. */
const example = 'https://support.example.com';
const guide = readFileSync('docs/embedding.md', 'utf8');
const described = parse(readFileSync('e2e/world/sites.yaml', 'utf8'), { merge: true }) as {
  values: Values;
  sites: Described[];
};

/**
 * The code of this language below a heading of docs/embedding.md, as a reader would copy it.
 * @throws when the page has no such recipe
 */
function recipe(heading: string, language: string): string {
  const section = guide.split(/^#+ /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const code = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(section)?.[1];
  if (!code) throw new Error(`docs/embedding.md has no ${language} recipe below “${heading}”`);
  return code.replaceAll(example, '@@bff@@');
}

/** The attributes of the tag as JSON, for tools that write tags themselves. */
function tagAttributes(): string {
  const [, attributes] = /<script ([^>]*)>/.exec(recipe('Embedding', 'html'))!;
  const pairs = [...attributes!.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return JSON.stringify(Object.fromEntries(pairs.map(([, name, value]) => [name!, value ?? true])));
}

/** `recipe Heading language` stands for that recipe. */
function recipeNamed(name: string): string | undefined {
  const [, heading, language] = /^recipe (.+) (\w+)$/.exec(name) ?? [];
  return heading && recipe(heading, language!);
}

const fillFiles = (files: Described['files'], values: Values) =>
  Object.entries(files).map(([path, text]) => [
    fill(path, values),
    text === null ? null : fill(text, values, recipeNamed),
  ]);

function projectOf({
  packages = [],
  recipe: common,
  values,
  files,
  hostFiles = {},
  ...site
}: Described): Project {
  const { hosts } = site;
  return {
    ...site,
    packages: [...hosts.flatMap((host) => host.package ?? []), ...packages],
    files(bff) {
      const slugs = JSON.stringify(hosts.map(({ slug }) => slug));
      const all = { ...described.values, ...values, bff, slugs, tagAttributes: tagAttributes() };
      const ofHosts = hosts.flatMap(({ name, slug = '', values: own }) =>
        fillFiles(hostFiles, { ...all, ...own, name, slug }),
      );
      return Object.fromEntries([...fillFiles(files, all), ...ofHosts]);
    },
    hosts: hosts.map(
      ({ name, slug, package: spec, version = spec?.replace(/@\d+$/, ''), recipe: own, note }) => ({
        name,
        ...(version && { version }),
        recipe: own ?? common ?? 'Embedding',
        path: slug ? `/${slug}.html` : '/',
        ...(note && { note }),
      }),
    ),
  };
}

/** All sites, in the order of the table. */
export const projects: Project[] = described.sites.map(projectOf);

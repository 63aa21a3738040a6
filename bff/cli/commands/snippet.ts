import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from 'hono/html';
import { parseConfig, readTexts } from '../../config.ts';
import { hexColor, imageUrl } from '../../core/settings/values.ts';
import { widgetDir } from '../../build.ts';

export interface SnippetOptions {
  origin?: string;
  pinned?: boolean;
}

/** The address of the loader. When it is pinned, also the hash by which browsers check it. */
function sourceOf(origin: string, isPinned: boolean, folder: string): string {
  if (!isPinned) return `src="${origin}/widget.js"`;
  const { version } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { version: string };
  const hash = createHash('sha384')
    .update(readFileSync(join(folder, 'pinned.js')))
    .digest('base64');
  return `src="${origin}/widget-${version}.js" integrity="sha384-${hash}" crossorigin`;
}

/** Prints the tag for a site. `folder`: of the built widget. */
export async function run(
  { env, out }: Cli,
  { origin, pinned = false }: SnippetOptions,
  folder = widgetDir,
): Promise<ExitCode> {
  if (origin !== undefined && !/^https?:\/\/[\w.:[\]-]+(\/[\w.~-]+)*$/.test(origin)) {
    out.note('--origin must be such as https://support.example.com: no slash at its end');
    return exitCodes.usage;
  }
  const from = origin ?? parseConfig(env).publicUrl;
  const texts = readTexts(env);
  const looks = Object.entries({
    brand: texts['BRAND_NAME'],
    color: hexColor.safeParse(texts['BRAND_COLOR']).data,
    logo: imageUrl.safeParse(texts['BRAND_LOGO']).data,
  });
  const attributes = ['async', sourceOf(from, pinned, folder)];
  for (const [name, value] of looks)
    if (value) attributes.push((await html`data-${name}="${value}"`).toString());
  out.line(`<script ${attributes.join(' ')}></script>`);
  out.note(
    `A Content-Security-Policy of the page needs: script-src ${new URL(from).origin}; frame-src ${new URL(from).origin}`,
  );
  if (pinned)
    out.note('The next version of Deskside is served under another name: change the tag when you update.');
  return exitCodes.ok;
}

export const snippetCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('snippet')
    .description('print the tag for your site')
    .option('--origin <origin>', 'where browsers reach the BFF; PUBLIC_URL unless given')
    .option('--pinned', 'for this version alone, with its hash')
    .action(async (options: SnippetOptions) => onExit(await run(cli, options)));
};

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeWidgetFolder } from '../../testing/widget-folder.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';
import { run, type SnippetOptions } from './snippet.ts';

async function tagOf(options: SnippetOptions, env: Record<string, string> = {}): Promise<string> {
  let tag = '';
  const out = {
    line: (text = '') => void (tag = text),
    json() {},
    note() {},
    style: (_: string, text: string) => text,
  };
  await run({ env, out }, options, makeWidgetFolder());
  return tag;
}
const origin = 'https://support.test';

it('snippet prints the tag with the brand, escaped', async () => {
  expect(await tagOf({ origin }, { BRAND_NAME: 'Kettle & "Clay"' })).toBe(
    '<script async src="https://support.test/widget.js" data-brand="Kettle &amp; &quot;Clay&quot;"></script>',
  );
});

it('snippet prints the colour and the logo of the brand, where they are valid', async () => {
  const logo = 'https://shop.test/l.png?a=1&b=2';
  expect(await tagOf({ origin }, { BRAND_COLOR: 'A8482A', BRAND_LOGO: logo })).toContain(
    ' data-color="#a8482a" data-logo="https://shop.test/l.png?a=1&amp;b=2"></script>',
  );
  expect(await tagOf({ origin }, { BRAND_COLOR: 'terracota', BRAND_LOGO: 'x' })).not.toContain('data-');
});

it('snippet --pinned names the version and the hash of its loader', async () => {
  const hash = createHash('sha384').update('pinned()').digest('base64');
  expect(await tagOf({ origin, pinned: true })).toBe(
    `<script async src="https://support.test/widget-1.2.3.js" integrity="sha384-${hash}" crossorigin></script>`,
  );
});

it('snippet without --origin takes PUBLIC_URL', async () => {
  const env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    PUBLIC_URL: origin,
  };
  expect(await tagOf({}, env)).toContain('src="https://support.test/widget.js"');
});

it('snippet refuses an origin with a path', async () => {
  expect((await runTestCommand(['snippet', '--origin', 'https://support.test/'])).code).toBe(2);
});

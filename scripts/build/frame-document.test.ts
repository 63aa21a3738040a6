import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAssetName } from '../../bff/contract/paths.ts';
import { en } from '../../widget/app/i18n/en.ts';
import { frameDocuments } from './frame-document.ts';

const sentences = { ...en, support: 'العون', link: 'رابط', start: '</script><!-- “&amp;” -->' };
const { documents, csp } = frameDocuments(
  { script: 'run("</script>")', style: 'a{}', rest: 'export{r}', account: 'export{a}' },
  [
    { tag: 'en', dir: 'ltr', sentences: en },
    { tag: 'ar', dir: 'rtl', sentences },
  ],
);
const parts =
  /<title>(?<title>.*?)<\/title><style>(?<style>.*?)<\/style>.*<script type="application\/json" id="sentences">(?<sentences>.*?)<\/script><script type="module">(?<script>.*?)<\/script>/;
const [english, arabic] = documents.map(({ html }) => parts.exec(html)!.groups!);
const sha256 = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

describe('a frame document', () => {
  it('names its language and the direction of that', () => {
    expect(documents.map(({ tag }) => tag)).toEqual(['en', 'ar']);
    expect(documents[1]!.html).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/);
    expect(arabic).toMatchObject({ title: 'العون' });
  });

  it('carries the sentences as they are, whatever stands in them, those of a part with its script', () => {
    const own = documents[1]!.assets.map(
      ({ code }) => JSON.parse(/^export const sentences=(\{.*\});export\{.\}$/.exec(code)![1]!) as object,
    );
    const inDocument = JSON.parse(arabic!['sentences']!) as object;
    expect(Object.assign({}, inDocument, ...own)).toEqual(sentences);
    expect(Object.keys(inDocument)).not.toContain('sendCode');
    expect(own.every((part) => Object.keys(part).length > 0)).toBe(true);
  });

  it('names its parts by their content', () => {
    for (const { tag, html, assets } of documents)
      for (const { path } of assets) {
        expect(path).toMatch(new RegExp(`^/assets/\\w+\\.${tag}-[\\w-]{8}\\.js$`));
        expect(html).toContain(`="${path}"`);
        expect(isAssetName(basename(path))).toBe(true);
      }
  });

  it('lets no text end the script early', () => {
    expect(english!['script']).toBe('run("<\\/script>")');
  });

  it('has the script and the style that the policy of all languages admits', () => {
    for (const { script, style } of [english!, arabic!])
      expect(csp).toEqual({ script: sha256(script!), style: sha256(style!) });
  });
});

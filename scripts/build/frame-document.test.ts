import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { en } from '../../widget/app/i18n/en.ts';
import { frameDocuments } from './frame-document.ts';

const sentences = { ...en, support: 'العون', link: 'رابط', start: '</script><!-- “&amp;” -->' };
const { documents, csp } = frameDocuments(
  { script: 'run("</script>")', style: 'a{}', tickets: 'export{t}', account: 'export{a}' },
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

  it('carries the sentences as they are, whatever stands in them', () => {
    const account = /^export const sentences=(\{.*\});export\{a\}$/.exec(documents[1]!.assets[1]!.code)![1]!;
    expect({ ...JSON.parse(arabic!['sentences']!), ...JSON.parse(account) }).toEqual(sentences);
  });

  it('leaves to the account’s script what only its views say, and names that by its content', () => {
    expect(english!['sentences']).not.toContain(en.sendCode);
    const [names, others] = documents.map(({ assets }) => assets.map(({ path }) => path));
    expect(names![0]).toBe(others![0]);
    expect(names![1]).not.toBe(others![1]);
    for (const { html, assets } of documents)
      for (const { path } of assets) expect(html).toContain(`="${path}"`);
  });

  it('lets no text end the script early', () => {
    expect(english!['script']).toBe('run("<\\/script>")');
  });

  it('has the script and the style that the policy of all languages admits', () => {
    for (const { script, style } of [english!, arabic!])
      expect(csp).toEqual({ script: sha256(script!), style: sha256(style!) });
  });
});

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { en } from '../../shared/i18n/en.ts';
import { panelSentences } from '../../shared/i18n/sentences.ts';
import { frameDocuments } from './frame-document.ts';

const sentences = { ...en, support: 'العون', link: 'رابط', start: '</script><!-- “&amp;” -->' };
const { documents, csp } = frameDocuments(
  {
    inlineScript: 'run("</script>")',
    style: 'a{}',
    entry: '/assets/app-00000000.js',
    preloads: ['/assets/shared-00000000.js'],
    returning: ['/assets/thread-00000000.js'],
    renderHome: ({ tag }) => `<main data-of="${tag}"></main>`,
    renderForm: ({ tag }) => `<form data-of="${tag}"></form>`,
  },
  [
    { tag: 'en', dir: 'ltr', sentences: en },
    { tag: 'ar', dir: 'rtl', sentences },
  ],
);
const parts =
  /<title>(?<title>.*?)<\/title><style>(?<style>.*?)<\/style>.*<div id="app">(?<form>.*?)<\/div><script>(?<script>.*?)<\/script><script type="application\/json" id="sentences">(?<sentences>.*?)<\/script>/;
const [english, arabic] = documents.map(({ html }) => parts.exec(html)!.groups!);
const sha256 = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

describe('a frame document', () => {
  it('names its language and its text direction', () => {
    expect(documents.map(({ tag }) => tag)).toEqual(['en', 'ar']);
    expect(documents[1]!.html).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/);
    expect(arabic).toMatchObject({ title: 'العون' });
  });

  it('contains the sentences unchanged, whatever characters they have', () => {
    expect(JSON.parse(arabic!['sentences']!)).toEqual(panelSentences(sentences));
  });

  it('contains the form in its language', () => {
    expect(english!['form']).toBe('<form data-of="en"></form>');
    expect(arabic!['form']).toBe('<form data-of="ar"></form>');
    expect(documents.map(({ home }) => home)).toEqual([
      '<main data-of="en"></main>',
      '<main data-of="ar"></main>',
    ]);
  });

  it('loads the entry module, and preloads what that imports', () => {
    for (const { html } of documents) {
      expect(html).toContain('<script type="module" src="/assets/app-00000000.js">');
      expect(html).toContain('<link rel="modulepreload" href="/assets/shared-00000000.js">');
    }
  });

  it('names the modules of returning customers without fetching them', () => {
    for (const { html } of documents)
      expect(html).toContain('<link class="returning" href="/assets/thread-00000000.js">');
  });

  it('allows no text to end the script early', () => {
    expect(english!['script']).toBe('run("<\\/script>")');
  });

  it('has the script and the style that the policy for all languages allows', () => {
    for (const { script, style } of [english!, arabic!])
      expect(csp).toEqual({ script: sha256(script!), style: sha256(style!) });
  });
});

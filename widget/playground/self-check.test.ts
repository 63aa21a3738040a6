import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Deskside } from '../npm/deskside.d.ts';
import { checkPreview, checkSite } from './self-check.ts';

const preview = (answer: unknown) => ({ Deskside: (() => answer) as Deskside }) as Window;

describe('the preview', () => {
  it('is judged by the messages of its widget', async () => {
    const checks = [{ name: 'storage', ok: null, hint: 'Ask again.' }];
    expect(await checkPreview(preview(Promise.resolve({ version: '1.2.3', checks })))).toEqual(checks);
  });

  it.each([
    ['has no widget', {} as Window],
    ['has a widget that knows no diagnosis', preview(undefined)],
    ['is not there', null],
  ])('is wrong when it %s', async (_, frame) => {
    expect(await checkPreview(frame)).toMatchObject([{ name: 'script', ok: false }]);
  });
});

describe('a site', () => {
  const policy =
    "default-src 'none'; frame-ancestors https://shop.test https://other.test https://*.example.com 'self'; img-src data:";
  const serve = (answer: () => Promise<Response>) => vi.stubGlobal('fetch', answer);
  const allowed = async () => new Response(null, { headers: { 'Content-Security-Policy': policy } });
  afterEach(() => void vi.unstubAllGlobals());

  it.each([
    ['https://shop.test/cart?x=1', true],
    ['https://OTHER.test', true],
    ['https://www.example.com/cart', true],
    ['https://evil-example.com', false],
    ['http://shop.test', false],
    ['https://shop.test.evil.example', false],
    ['https://evil.example', false],
    ['shop.test', false],
    ['ftp://shop.test', false],
  ])('%s may show the widget: %s', async (address, ok) => {
    serve(allowed);
    expect(await checkSite(address)).toMatchObject({ ok });
  });

  it('gets no result while Deskside cannot be reached', async () => {
    serve(() => Promise.reject(new TypeError('offline')));
    expect(await checkSite('https://shop.test')).toMatchObject({ ok: null });
  });
});

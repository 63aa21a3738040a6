import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from '../bridge/messages.ts';
import type { Settings } from './api.ts';
import { frameSettings, frameUrl } from './settings.ts';

const parse = (url: string) => JSON.parse(decodeURIComponent(new URL(url).hash.slice(1))) as unknown;

describe('frameUrl', () => {
  beforeEach(() => history.replaceState(null, '', '/order?token=secret#secret'));
  afterEach(() => {
    history.replaceState(null, '', '/');
    document.documentElement.removeAttribute('lang');
  });

  it('carries the settings in the fragment, as the frame reads them', () => {
    const url = frameUrl('https://support.example.com', { brand: 'Kettle & Clay', greeting: '“Tea?” 100 %' });
    expect(url.startsWith('https://support.example.com/frame?')).toBe(true);
    expect(new URL(url).search).not.toContain('Kettle');
    expect(readSettings(parse(url))).toEqual({
      brand: 'Kettle & Clay',
      greeting: '“Tea?” 100 %',
      origin: location.origin,
      page_url: `${location.origin}/order`,
    });
  });

  it('has the page’s address without query and hash [browser-33]', () => {
    expect(JSON.stringify(frameSettings({}))).not.toContain('secret');
  });

  it('has the page’s real origin, whatever the settings say', () => {
    expect(frameSettings({ origin: 'https://evil.example' } as Settings).origin).toBe(location.origin);
  });

  it("has the language of the settings, else the page's", () => {
    document.documentElement.lang = 'fr';
    expect(new URL(frameUrl('https://s.example', { locale: 'pt-BR' })).searchParams.get('lang')).toBe(
      'pt-BR',
    );
    expect(new URL(frameUrl('https://s.example', {})).searchParams.get('lang')).toBe('fr');
  });

  it.each(['#{lang}', 'de&isolated=true'])('stays whole with the language “%s”', (locale) => {
    const url = frameUrl('https://s.example', { locale });
    expect([...new URL(url).searchParams]).toContainEqual(['lang', locale]);
    expect(new URL(url).searchParams.getAll('isolated')).toHaveLength(1);
    expect(parse(url)).toMatchObject({ locale });
  });
});

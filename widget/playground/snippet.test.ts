import { describe, expect, it } from 'vitest';
import { untouched } from './choices.ts';
import { moduleSnippet, tagSnippet } from './snippet.ts';

const origin = 'https://support.test';
const hostile = 'A "fine" shop & <b>co</b></script>';

describe('the tag', () => {
  it('contains only what was chosen', () => {
    expect(tagSnippet(origin, untouched)).toBe(
      '<script async src="https://support.test/widget.js"></script>',
    );
  });

  it.each([
    ['inviteAfter', '30'],
    ['inviteAfter', 'wide'],
    ['inviteAfter', ' '],
    ['brand', ''],
    ['texts.send', ''],
  ])('has no %s of "%s", which is the default or no value', (name, value) => {
    expect(tagSnippet(origin, { ...untouched, [name]: value })).toBe(tagSnippet(origin, untouched));
  });

  it('escapes what was typed', () => {
    const choices = {
      ...untouched,
      brand: hostile,
      titleBadge: true,
      preview: false,
      'texts.newTicket': hostile,
    };
    const page = new DOMParser().parseFromString(tagSnippet(origin, choices), 'text/html');
    const [inline, tag, ...others] = page.querySelectorAll('script');
    expect(others).toEqual([]);
    const given = Object.fromEntries(Object.entries(tag!.dataset));
    expect(given).toEqual({ brand: hostile, titleBadge: 'true', preview: 'false' });
    const [, settings] = /window\.DesksideSettings = ([^]*);/.exec(inline!.textContent)!;
    expect(JSON.parse(settings!)).toEqual({ texts: { newTicket: hostile } });
  });
});

it('the module call has the same settings', () => {
  const snippet = moduleSnippet(origin, {
    ...untouched,
    color: '#aa0000',
    inviteAfter: '8',
    'texts.send': 'Go',
  });
  const [, options] = /loadDeskside\(([^]*)\);/.exec(snippet)!;
  expect(JSON.parse(options!)).toEqual({
    src: origin,
    color: '#aa0000',
    inviteAfter: 8,
    texts: { send: 'Go' },
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Package from './index.js';

let loadDeskside: typeof Package.loadDeskside;
let deskside: typeof Package.deskside;

const src = 'https://support.test';
/** The tags that were added to the page; they fetch nothing in this test. */
let tags: HTMLScriptElement[];
const answer = (type: 'load' | 'error') => tags[0]!.dispatchEvent(new Event(type));

/** What the script does when it is loaded: takes over the stored calls, and accepts further ones. */
function install() {
  const calls = [...(window.Deskside!.q as unknown[][])];
  const take = (...call: unknown[]) => void calls.push(call);
  window.Deskside = Object.assign(take, { q: { push: take } });
  answer('load');
  return calls;
}

beforeEach(async () => {
  vi.resetModules();
  ({ loadDeskside, deskside } = await import('./index.js'));
  tags = [];
  vi.spyOn(document.head, 'append').mockImplementation((tag) => void tags.push(tag as HTMLScriptElement));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete window.Deskside;
  delete window.DesksideSettings;
});

describe('loadDeskside', () => {
  it('adds the script to the page once, with the settings', () => {
    loadDeskside({ src, brand: 'Acme', nonce: 'n' });
    loadDeskside({ src, color: '#0b6' });
    expect(tags.map((tag) => [tag.src, tag.nonce])).toEqual([[`${src}/widget.js`, 'n']]);
    expect(window.DesksideSettings).toEqual({ brand: 'Acme', color: '#0b6' });
  });

  it('accepts the address of one version, with its hash', () => {
    loadDeskside({ src: `${src}/widget-1.2.3.js`, integrity: 'sha384-x' });
    const [tag] = tags;
    expect([tag!.src, tag!.integrity, tag!.crossOrigin]).toEqual([
      `${src}/widget-1.2.3.js`,
      'sha384-x',
      'anonymous',
    ]);
  });

  it('buffers calls until the script is loaded', () => {
    loadDeskside({ src })('open', { view: 'new' });
    deskside('hide');
    const calls = install();
    deskside('show');
    expect(calls).toEqual([['open', { view: 'new' }], ['hide'], ['show']]);
  });

  it('updates a running widget', () => {
    loadDeskside({ src })('show');
    const calls = install();
    loadDeskside({ src, brand: 'Acme' });
    expect([tags.length, calls.at(-1)]).toEqual([1, ['update', { brand: 'Acme' }]]);
  });

  it('can be destroyed before the script is loaded', () => {
    loadDeskside({ src })('open');
    deskside('destroy');
    loadDeskside({ src })('show');
    expect(install()).toEqual([['show']]);
  });

  it('starts again after a destroy, and leaves no tag of the first time', () => {
    loadDeskside({ src })('show');
    const remove = vi.spyOn(tags[0]!, 'remove');
    install();
    expect(remove).toHaveBeenCalledOnce();
    delete window.Deskside;
    loadDeskside({ src });
    expect(tags).toHaveLength(2);
  });

  it.each([undefined, { brand: 'Site' }])('restores the page’s own settings at a destroy: %o', (own) => {
    if (own) window.DesksideSettings = own;
    loadDeskside({ src, color: '#0b6' });
    loadDeskside({ src, brand: 'Acme' });
    expect(window.DesksideSettings).toEqual({ color: '#0b6', brand: 'Acme' });
    deskside('destroy');
    expect(window.DesksideSettings).toEqual(own);
    expect('DesksideSettings' in window).toBe(!!own);
    loadDeskside({ src, greeting: 'Hello' });
    expect(window.DesksideSettings).toEqual({ ...own, greeting: 'Hello' });
  });

  it.each([
    ['the script did not come', src],
    ['the address is none', 'support'],
  ])('reports an error when %s, and can be called again', async (_, address) => {
    const codes: string[] = [];
    deskside('on', 'error', ({ code }) => codes.push(code));
    loadDeskside({ src: address });
    tags.pop()?.dispatchEvent(new Event('error'));
    await Promise.resolve();
    expect(codes).toEqual(['script_unavailable']);
    loadDeskside({ src });
    expect(tags).toHaveLength(1);
  });

  it('uses a named Trusted Types policy, or none when the page refuses it', async () => {
    const createPolicy = vi.fn<(name: string, rules: object) => object>((_, rules) => rules);
    vi.stubGlobal('trustedTypes', { createPolicy });
    loadDeskside({ src });
    expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['deskside']);
    answer('error');
    vi.resetModules();
    createPolicy.mockImplementation(() => {
      throw new TypeError('refused');
    });
    (await import('./index.js')).loadDeskside({ src });
    expect(tags[1]!.src).toBe(`${src}/widget.js`);
  });
});

describe('events', () => {
  const emit = () => document.dispatchEvent(new CustomEvent('deskside:unread', { detail: { count: 2 } }));

  it('are delivered before and after the script is loaded, until unsubscribed', () => {
    const counts: number[] = [];
    const stop = deskside('on', 'unread', ({ count }) => counts.push(count));
    emit();
    stop();
    emit();
    expect(counts).toEqual([2]);
  });

  it('end with the widget', () => {
    const heard = vi.fn<() => void>();
    deskside('on', 'unread', heard);
    deskside('destroy');
    emit();
    expect(heard).not.toHaveBeenCalled();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reactive, readonly, ref } from 'vue';
import { app, call, closePage, iframe, launcher, openPage, settle, start, tag } from '../../testing/page.ts';

let warnings: string[];
/** What the app was told for agents. */
let told: object[];
const report = vi.fn<(error: unknown) => void>();

beforeEach(() => {
  openPage();
  warnings = [];
  report.mockReset();
  vi.spyOn(console, 'warn').mockImplementation((text) => void warnings.push(String(text)));
  // As in a browser, what gets its value only in its place is valid too.
  const valid = /^\s*(#[\da-f]+|red|(var|color-mix)\(.+\)|currentcolor|inherit|unset)$/i;
  vi.stubGlobal('CSS', { supports: (_: string, value: string) => valid.test(value) });
  vi.stubGlobal('reportError', report);
});
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
class Customer {
  get email() {
    return 'a@b.example';
  }
}
const unreadable = {
  email: 'a@b.example',
  get name(): string {
    throw new Error('no');
  },
};

/** What the app is sent by this call before it is loaded, after an `identify`. */
async function send(...args: unknown[]) {
  start();
  call('identify', 'signed.by.site');
  call(...args);
  call('open');
  await settle();
  const panel = app();
  told = panel.told;
  panel.say({ type: 'ready' });
  await settle();
  // As the browser posts it.
  return structuredClone(panel.posted);
}

describe('what a page hands over', () => {
  const email = 'a@b.example';
  it.each<[string, unknown, object, number]>([
    ['is a reactive object', reactive({ email, fields: { size: 'L' } }), { email, fields: { size: 'L' } }, 0],
    ['is read-only', readonly({ email }), { email }, 0],
    [
      'is a proxy in an object',
      { email, fields: new Proxy({ size: 'L' }, {}) },
      { email, fields: { size: 'L' } },
      0,
    ],
    ['has null and undefined', { email, name: null, subject: undefined }, { email }, 0],
    ['has a function', { email, onSelect: () => {} }, { email }, 1],
    ['has a number for a text', { email, name: 5 }, { email }, 1],
    ['has a big number', { email, name: 5n }, { email }, 1],
    ['has a node', { email, name: document.createElement('input') }, { email }, 1],
    ['has a reference in place of its value', { email, name: ref('Ana') }, { email }, 1],
    ['refers to itself', { email, fields: cycle }, { email }, 1],
    ['has a promise', { email, name: Promise.resolve('Ana') }, { email }, 1],
    [
      'is frozen',
      Object.freeze({ email, fields: Object.freeze({ size: 'L' }) }),
      { email, fields: { size: 'L' } },
      0,
    ],
    ['throws when it is read', unreadable, { email }, 1],
    ['has a map of answers', { email, fields: new Map([['size', 'L']]) }, { email, fields: {} }, 1],
    ['has a symbol', { email, name: Symbol('Ana') }, { email }, 1],
    ['has unknown fields', { email, phone: 5, plan: {} }, { email }, 1],
    ['has a wrong answer', { email, fields: { size: 5, gift: true } }, { email, fields: { gift: true } }, 1],
  ])('loses only its wrong fields, with one warning, when it %s', async (_, given, fields, count) => {
    const posted = await send('prefill', given);
    expect(posted).toContainEqual({ type: 'prefill', fields });
    expect(posted).toContainEqual({ type: 'identify', token: 'signed.by.site' });
    expect(warnings).toHaveLength(count);
    expect(report).not.toHaveBeenCalled();
  });

  const plan = 'Pro';
  it.each<[string, unknown, object, number]>([
    ['texts, numbers and flags', { plan, seats: 3, trial: false }, { plan, seats: 3, trial: false }, 0],
    ['a reactive object', reactive({ plan }), { plan }, 0],
    ['null and undefined', { plan, order: null, team: undefined }, { plan }, 0],
    ['a date', { plan, since: new Date(0) }, { plan, since: '1970-01-01T00:00:00.000Z' }, 0],
    ['an object and a list', { plan, order: { id: 1 }, tags: ['a'] }, { plan }, 1],
    ['no number', { plan, seats: NaN }, { plan }, 1],
    ['a number that was rounded', { plan, id: Number('1234567890123456789') }, { plan }, 1],
    ['a big number', { plan, id: 5n }, { plan }, 1],
    ['a text of 300 characters', { plan, note: 'x'.repeat(300) }, { plan }, 1],
    ['a name of 41 characters', { plan, ['n'.repeat(41)]: 'x' }, { plan }, 1],
    [
      'a value that throws',
      {
        plan,
        get name() {
          throw new Error('no');
        },
      },
      { plan },
      1,
    ],
    ['the prototype', JSON.parse('{"plan":"Pro","__proto__":{"x":1}}'), { plan }, 0],
    ['a name of every object', { plan, toString: 'x' }, { plan, toString: 'x' }, 0],
    ['null', null, {}, 0],
    ['a text', 'Pro', {}, 1],
    ['a list', ['Pro'], {}, 1],
    ['a promise', Promise.resolve({ plan }), {}, 1],
  ])(
    'are attributes for agents, with one warning for what is none: %s',
    async (_, given, attributes, count) => {
      await send('context', given);
      expect(told.at(-1)).toEqual({ page_title: '', attributes });
      expect(warnings).toHaveLength(count);
      expect(report).not.toHaveBeenCalled();
    },
  );

  it('are at most 20 attributes, the first ones', async () => {
    const given = Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`n${nth}`, nth]));
    await send('context', given);
    const { n20: _, ...first } = given;
    expect(told.at(-1)).toEqual({ page_title: '', attributes: first });
    expect(warnings).toEqual([expect.stringMatching(/“n20” is one too many/)]);
  });

  const noObjects: [string, unknown][] = [
    ['a revoked proxy', revoked],
    ['a list of entries', new Map([['email', email]])],
    ['a form', new FormData()],
    ['a node', document.createElement('form')],
    ['a promise', Promise.resolve({ email })],
    ['an object whose fields belong to its class', new Customer()],
  ];
  it.each(
    ['prefill', 'update', 'open', 'context'].flatMap((name) =>
      noObjects.map(([what, given]) => [name, what, given]),
    ),
  )('is ignored as a whole, with one warning: %s with %s', async (name, _, given) => {
    const posted = await send(name, given);
    expect(posted).toContainEqual({ type: 'identify', token: 'signed.by.site' });
    expect(warnings).toEqual([expect.stringContaining('expects an object of')]);
    expect(report).not.toHaveBeenCalled();
  });

  it.each<[string, unknown, object]>([
    ['a number for a ticket', { ticket: 42 }, {}],
    ['a function beside a view', { view: 'new', done: () => {} }, { view: 'new' }],
    ['a view that does not exist', { view: 'old' }, { view: 'old' }],
    ['a text', 'new', {}],
  ])('opens the panel with %s, and says what is wrong', async (_, target, sent) => {
    const posted = await send('open', target);
    expect(posted.find(({ type }) => type === 'open')).toMatchObject({ type: 'open', ...sent });
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['the browser', new MouseEvent('click')],
    ['a library', { nativeEvent: new MouseEvent('click'), view: window, preventDefault() {} }],
  ])('may be the event of a press, as %s gives it', async (_, event) => {
    await send('open', event);
    expect(warnings).toEqual([]);
  });
});

describe('a mistake of the page', () => {
  it.each<[string, unknown[], RegExp]>([
    ['a misspelt command', ['opne'], /Deskside\('opne'\).*“open”/],
    ['a name of another widget', ['boot'], /no such command.*“identify”/],
    ['no command', [{ brand: 'Acme' }], /an object.*no such command/],
    ['a member of every object', ['toString'], /no such command/],
    ['a misspelt event', ['on', 'messages', () => {}], /no event “messages”.*“message-sent”/],
    ['an event with another case', ['on', 'ticketCreated', () => {}], /“ticket-created”/],
    ['a handler that is no function', ['on', 'open', 5], /handler is 5/],
    ['a missing handler', ['on', 'open'], /handler is undefined/],
    ['a misspelt setting', ['update', { colour: 'red' }], /no setting “colour”.*“color”/],
    ['a misspelt value', ['update', { theme: 'drak' }], /“theme” is “drak”.*“dark”/],
    ['a colour that is none', ['update', { color: 'terracota' }], /“terracota”.*CSS colour/],
    ['a colour that gets its value elsewhere', ['update', { color: 'var(--brand)' }], /fixed CSS colour/],
    ['a colour without its sign', ['update', { color: '0b6b5d' }], /“#0b6b5d”/],
    ['a length with another unit', ['update', { offset: '2rem' }], /“offset” is “2rem”.*number/],
    ['three distances', ['update', { offsetPhone: '1 2 3' }], /“offsetPhone” is “1 2 3”.*two/],
    ['a misspelt way of closing', ['update', { whenClosed: 'hidden' }], /“whenClosed”.*“articles”/],
    ['a stacking order that is none', ['update', { zIndex: 'top' }], /“zIndex” is “top”/],
    ['texts that are a text', ['update', { texts: '{}' }], /“texts” is “\{\}”/],
    ['a text that is none', ['update', { texts: { send: 5 } }], /“texts\.send”/],
    ['settings that refer to themselves', ['update', { texts: cycle }], /“texts” is an object/],
    ['no settings', ['update'], /expects an object of settings, but got undefined/],
    ['null as settings', ['update', null], /got null/],
    ['no values to fill in', ['prefill'], /got undefined/],
    ['no token', ['identify', null], /got null.*“logout”/],
    ['a promise as token', ['identify', Promise.resolve('a.b.c')], /got a promise/],
    ['an id as token', ['identify', 'customer-7', { email: 'a@b.example' }], /no signed token\.$/],
    ['a function that gets a page', ['identify', async () => '<p>Log in.</p>'], /no signed token\.$/],
    ['a function that gets no text', ['identify', async () => ({ token: 'a.b.c' })], /got an object/],
    ['a function that fails', ['identify', () => Promise.reject(new Error('401'))], /got Error: 401/],
    ['a selector that is none', ['update', { launcher: '##' }], /“launcher” is “##”/],
  ])('is named once in the console, and nothing is thrown: %s', async (_, args, text) => {
    start();
    expect(() => call(...args)).not.toThrow();
    call('open');
    call('close');
    await settle();
    call(...args);
    expect(warnings).toEqual([expect.stringMatching(text)]);
    expect(report).not.toHaveBeenCalled();
  });

  it('that is an unknown command is named without a press', async () => {
    start();
    call('opne');
    await vi.advanceTimersByTimeAsync(100);
    expect(warnings).toHaveLength(1);
    expect(iframe()).toBeNull();
  });

  it('in settings or the tag is named, but not an attribute that others put there', async () => {
    window.DesksideSettings = { brand: 5, sund: true } as object;
    start(tag({ colour: 'red', cfasync: 'false', nscript: 'lazy', theme: 'drak', sound: 'maybe' }));
    call('open');
    await settle();
    expect(warnings).toEqual([
      expect.stringMatching(/brand.*5.*\n.*sund.*sound/),
      expect.stringMatching(/colour.*color.*\n.*theme.*\n.*sound/),
    ]);
  });

  it.each([
    'terracota',
    'var(--brand)',
    'currentColor',
    'CurrentColor',
    ' Inherit',
    'UNSET',
    'color-mix(in srgb, currentcolor, red)',
  ])('leaves the defaults in place: %s', async (color) => {
    start(tag({ color, zIndex: 'top' }));
    const style = launcher().parentElement!.style;
    call('update', { label: {} });
    call('open');
    await settle();
    expect(style.getPropertyValue('--color')).toBe('');
    expect(style.zIndex).toBe('2147483647');
    expect(launcher().getAttribute('aria-label')).toBe('Close support');
  });
});

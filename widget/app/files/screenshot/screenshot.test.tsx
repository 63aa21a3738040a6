import { fireEvent, screen } from '@testing-library/preact';
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { en } from '../../../../shared/i18n/en.ts';
import type { App } from '../../app.ts';
import { edit } from './screenshot.tsx';
import { canTakeScreenshot, takeScreenshot } from './ScreenshotButton.tsx';

const s = en.site.screenshot;

function fakeApp() {
  const owner = signal<string | null>('ada');
  const isWaiting = signal(false);
  const said = signal<string | null>(null);
  const app = {
    session: { owner, isWaiting },
    view: { said },
    settings: signal({}),
    width: { isWide: signal(false) },
  } as unknown as App;
  return { app, owner, isWaiting, said };
}

/** What the browser answers to the request for the page. */
const answering = (getDisplayMedia: unknown, more: object = {}) =>
  vi.stubGlobal('navigator', { mediaDevices: { getDisplayMedia }, userAgent: 'Mozilla/5.0 (X11)', ...more });

beforeEach(() => {
  // Nothing is drawn here: the journey looks at the pixels.
  const context = new Proxy({}, { get: () => () => {}, set: () => true });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type) =>
    done(new Blob(['pixels'], { type: type! })),
  );
  vi.stubGlobal('Path2D', Object);
  Object.assign(SVGGraphicsElement.prototype, { getScreenCTM: () => ({ a: 0.5, inverse: () => ({}) }) });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

describe('the button', () => {
  const can = vi.fn<() => void>();

  it('is there where the browser can share the page', () => {
    answering(can);
    expect(canTakeScreenshot()).toBe(true);
  });

  it('is not there without https, on phones, and where the page forbids it', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11)' });
    expect(canTakeScreenshot()).toBe(false);
    answering(undefined);
    expect(canTakeScreenshot()).toBe(false);
    answering(can, { userAgent: 'Mozilla/5.0 (Linux; Android 10; K) Mobile Safari/537.36' });
    expect(canTakeScreenshot()).toBe(false);
    answering(can);
    Object.assign(document, { featurePolicy: { allowsFeature: () => false } });
    expect(canTakeScreenshot()).toBe(false);
    Object.assign(document, { featurePolicy: undefined });
  });
});

describe('a request for the page', () => {
  it('is made in the press itself, since Safari refuses it later', async () => {
    const ask = vi.fn<() => Promise<never>>(() => Promise.reject(new DOMException('', 'NotAllowedError')));
    answering(ask);
    const taken = takeScreenshot(fakeApp().app, s);
    expect(ask).toHaveBeenCalledOnce();
    // Until it ends, no other is taken.
    await taken;
  });

  it.each([
    ['by the customer changes nothing', new DOMException('Permission denied', 'NotAllowedError'), null],
    ['by the system is told', new DOMException('Permission denied by system', 'NotAllowedError'), s.failed],
    ['because nothing can be shared is told', new DOMException('', 'NotFoundError'), s.failed],
  ])('that is refused %s', async (_name, error, sentence) => {
    const { app, said } = fakeApp();
    answering(() => Promise.reject(error));
    expect(await takeScreenshot(app, s)).toBeNull();
    expect(said.value).toBe(sentence);
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('that gives a stream without a picture ends the stream and is told [screenshot-1]', async () => {
    const { app, said } = fakeApp();
    const stop = vi.fn<() => void>();
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockRejectedValue(new DOMException('', 'NotSupportedError'));
    answering(() => Promise.resolve({ getTracks: () => [{ stop }] }));
    expect(await takeScreenshot(app, s)).toBeNull();
    expect(stop).toHaveBeenCalled();
    expect(said.value).toBe(s.failed);
  });
});

describe('the editor', () => {
  const picture = () => Object.assign(document.createElement('canvas'), { width: 1000, height: 600 });
  const button = (name: string) => screen.getByRole('button', { name, hidden: true });
  const shapes = () => [...document.querySelectorAll('svg [role=group]')] as SVGElement[];
  function open() {
    const fake = fakeApp();
    const file = edit(fake.app, s, picture());
    return { ...fake, file };
  }

  it('gives a file when the picture is attached', async () => {
    const { file } = open();
    fireEvent.click(button('Attach'));
    expect((await file)!.name).toMatch(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.png$/);
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('gives nothing when it is left by the button or Escape, which does not close the panel', async () => {
    const { file } = open();
    fireEvent.click(button('Cancel'));
    expect(await file).toBeNull();
    const again = open();
    // False: its default was prevented.
    expect(fireEvent.keyDown(document.querySelector('dialog')!, { key: 'Escape' })).toBe(false);
    expect(await again.file).toBeNull();
  });

  it('returns the focus to where it was', async () => {
    document.body.innerHTML = '<button>opener</button>';
    document.querySelector('button')!.focus();
    const { file } = open();
    expect(document.activeElement).toBe(button('Hide'));
    fireEvent.click(button('Cancel'));
    await file;
    expect(document.activeElement!.textContent).toBe('opener');
  });

  it.each([
    ['another customer', ({ owner }: ReturnType<typeof open>) => (owner.value = 'bob')],
    ['nobody for sure', ({ isWaiting }: ReturnType<typeof open>) => (isWaiting.value = true)],
  ])('drops the picture when the session is that of %s [screenshot-2]', async (_name, change) => {
    const opened = open();
    change(opened);
    expect(await opened.file).toBeNull();
  });

  it('is used by keys: a tool adds a shape, arrow keys move and resize it, Delete removes it', async () => {
    const { file } = open();
    fireEvent.click(button('Hide'), { detail: 0 });
    await expect.poll(() => document.activeElement === shapes()[0]).toBe(true);
    expect(shapes()[0]!.getAttribute('aria-label')).toBe('Hidden area, 300 × 180, x 350, y 210');
    fireEvent.keyDown(shapes()[0]!, { key: 'ArrowRight' });
    fireEvent.keyDown(shapes()[0]!, { key: 'ArrowDown', shiftKey: true });
    await expect
      .poll(() => document.querySelector('output')!.textContent)
      .toBe('Hidden area, 300 × 188, x 358, y 210');
    fireEvent.keyDown(shapes()[0]!, { key: 'Delete' });
    await expect.poll(shapes).toEqual([]);
    expect(document.activeElement).toBe(button('Hide'));
    fireEvent.click(button('Undo'));
    await expect.poll(shapes).toHaveLength(1);
    fireEvent.click(button('Cancel'));
    await file;
  });
});

import { fireEvent, screen, within } from '@testing-library/preact';
import { describe, expect, it, vi } from 'vitest';
import type { MessageFile } from '../../../shared/contract/files.ts';
import type { Message } from '../../../shared/contract/tickets.ts';
import { en } from '../../../shared/i18n/en.ts';
import { createSite } from '../site/site.tsx';
import { aMessage, aThread, aTicket, settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';

const picture = (name: string, more: Partial<MessageFile> = {}): MessageFile => ({
  name,
  size: 1_234_567,
  url: `https://b.test/f/token/${name}`,
  width: 1600,
  height: 900,
  ...more,
});
const pdf: MessageFile = { name: 'Invoice.pdf', size: 48_600, url: 'https://b.test/f/token/Invoice.pdf' };
const removed = 'Picture was removed';

prepareScreen();

const site = () => createSite({ sentences: {}, attached: en.site.attached }, 'en');

/** A conversation on screen with one message for each list of files. */
async function show(...lists: MessageFile[][]) {
  const messages = lists.map((files, place) => aMessage({ id: `m${place}`, key: null, body: '', files }));
  return open(messages);
}

async function open(messages: Message[]) {
  const app = await showApp({
    site: site(),
    isEmbedded: true,
    tickets: [aTicket()],
    calls: { ticket: async () => ({ ok: true, value: aThread(messages) }) },
  });
  app.models.isOpen.value = true;
  app.models.view.go({ name: 'thread', ref: 't1' });
  await settle();
  await vi.dynamicImportSettled();
  await settle();
  return app;
}

const thumb = (name: string) => within(screen.getByRole('log')).getByRole('button', { name });
const viewer = () => screen.queryByRole('dialog');

async function press(element: HTMLElement) {
  fireEvent.click(element);
  await settle();
}
async function key(name: string) {
  fireEvent.keyDown(viewer()!.querySelector('button')!, { key: name });
  await settle();
}
/** The picture on screen, and which of how many it is. */
const seen = () => [
  viewer()!.querySelector('img')?.alt,
  viewer()!.querySelector('output small')?.textContent,
];

/** The picture cannot be shown, and its address answers so. */
async function fail(image: Element, answer: () => Promise<Partial<Response>>) {
  vi.stubGlobal('fetch', answer);
  fireEvent.error(image);
  await settle();
}

describe('files of a message', () => {
  it('are pictures with their room reserved, and cards with name and size that open in a new tab', async () => {
    await show([picture('a.jpg'), pdf]);
    const { style } = thumb('a.jpg');
    expect([style.width, style.height]).toEqual(['240px', '135px']);
    const image = screen.getByRole('img', { name: 'a.jpg' }) as HTMLImageElement;
    expect([image.loading, image.decoding]).toEqual(['lazy', 'async']);
    const card = screen.getByRole('link', { name: /Invoice\.pdf/ }) as HTMLAnchorElement;
    expect(card.textContent).toBe('pdfInvoice.pdf49 kB');
    expect([card.target, card.rel]).toEqual(['_blank', 'noreferrer noopener']);
  });

  it('without a text draw no empty bubble, and one with a text has both', async () => {
    await show([picture('a.jpg')]);
    expect(screen.getByRole('log').querySelector('.text')).toBeNull();
    await open([aMessage({ body: 'Look', files: [pdf] })]);
    expect(screen.getByRole('log').querySelector('.text')!.textContent).toBe('Look');
    screen.getByRole('link', { name: /Invoice\.pdf/ });
  });

  it('whose names are HTML are shown as text', async () => {
    const name = '"><svg onload=alert(1)>.pdf';
    await show([{ ...pdf, name }]);
    expect(screen.getByTitle(name).querySelector('svg')).toBeNull();
  });

  it('that are still in this browser are shown, and cannot be opened elsewhere', async () => {
    await show([picture('a.jpg', { url: 'blob:1' }), { ...pdf, url: 'blob:2' }]);
    expect(screen.queryByRole('link', { name: /Invoice/ })).toBeNull();
    await press(thumb('a.jpg'));
    expect(within(viewer()!).queryByRole('link')).toBeNull();
  });
});

describe('a picture that cannot be shown', () => {
  it('was removed where its address says so', async () => {
    await show([picture('a.jpg')]);
    await fail(screen.getByRole('img', { name: 'a.jpg' }), async () => ({ status: 404 }));
    within(screen.getByRole('log')).getByText(removed);
    expect(screen.queryByRole('button', { name: /a\.jpg|Try again/ })).toBeNull();
  });

  it('is tried again where the network failed', async () => {
    await show([picture('a.jpg')]);
    await fail(screen.getByRole('img', { name: 'a.jpg' }), async () =>
      Promise.reject(new TypeError('offline')),
    );
    expect(screen.queryByText(removed)).toBeNull();
    await press(screen.getByRole('button', { name: /Try again/ }));
    screen.getByRole('img', { name: 'a.jpg' });
    expect(viewer()).toBeNull();
  });
});

describe('the viewer', () => {
  const three = [
    [picture('a.jpg'), pdf],
    [picture('b.jpg'), picture('c.jpg', { picture: true })],
  ];

  it('shows the pictures of the whole conversation, by keys and by buttons, and says which of how many', async () => {
    await show(...three);
    await press(thumb('b.jpg'));
    expect(seen()).toEqual(['b.jpg', '2 of 3']);
    await key('ArrowRight');
    expect(seen()).toEqual(['c.jpg', '3 of 3']);
    await key('ArrowRight');
    expect(seen()).toEqual(['c.jpg', '3 of 3']);
    await press(screen.getByRole('button', { name: 'Previous picture' }));
    await key('ArrowLeft');
    expect(seen()).toEqual(['a.jpg', '1 of 3']);
    expect(within(viewer()!).getByRole('link', { name: 'Open in a new tab' })).toHaveProperty(
      'href',
      picture('a.jpg').url,
    );
  });

  it('right to left has the next picture at the left', async () => {
    await show(...three);
    await press(thumb('a.jpg'));
    vi.spyOn(globalThis, 'getComputedStyle').mockReturnValue({ direction: 'rtl' } as CSSStyleDeclaration);
    await key('ArrowLeft');
    expect(seen()[0]).toBe('b.jpg');
  });

  it('closed by Escape leaves the panel open, and the focus where it was', async () => {
    const { closes } = await show(...three);
    await press(thumb('b.jpg'));
    await key('Escape');
    expect(viewer()).toBeNull();
    expect(document.activeElement).toBe(thumb('b.jpg'));
    expect(closes).toEqual([]);
    // As the browser closes it, such as by the back button.
    await press(thumb('a.jpg'));
    fireEvent(viewer()!, new Event('close'));
    await settle();
    expect(document.activeElement).toBe(thumb('a.jpg'));
  });

  it('shows a picture larger by keys, button and double press, and moves it by arrow keys', async () => {
    await show(...three);
    await press(thumb('a.jpg'));
    const stage = viewer()!.querySelector<HTMLElement>('.viewer-stage')!;
    stage.getBoundingClientRect = () => ({ left: 0, top: 0, width: 400, height: 600 }) as DOMRect;
    stage.setPointerCapture = () => {};
    const drawn = () => (stage.firstElementChild as HTMLElement).style.transform;
    const atRest = 'translate(0px, 0px) scale(1)';
    await key('+');
    expect(drawn()).toBe('translate(0px, 0px) scale(1.5)');
    await key('ArrowRight');
    expect(drawn()).toBe('translate(-60px, 0px) scale(1.5)');
    await key('0');
    expect(drawn()).toBe(atRest);
    await press(screen.getByRole('button', { name: 'Zoom in' }));
    expect(drawn()).toContain('scale(2.5)');
    await press(screen.getByRole('button', { name: 'Zoom out' }));
    expect(drawn()).toBe(atRest);
    const at = { pointerId: 1, button: 0, clientX: 300, clientY: 300 };
    for (let time = 0; time < 2; time += 1) {
      fireEvent.pointerDown(stage, at);
      fireEvent.pointerUp(stage, at);
    }
    await settle();
    expect(drawn()).toBe('translate(-150px, 0px) scale(2.5)');
  });

  it('shows a picture larger by two fingers, and the next one by a finger to the side', async () => {
    await show(...three);
    await press(thumb('a.jpg'));
    const stage = viewer()!.querySelector<HTMLElement>('.viewer-stage')!;
    stage.getBoundingClientRect = () => ({ left: 0, top: 0, width: 400, height: 600 }) as DOMRect;
    stage.setPointerCapture = () => {};
    const finger = (pointerId: number, clientX: number) => ({
      pointerId,
      pointerType: 'touch',
      button: 0,
      clientX,
      clientY: 300,
    });
    fireEvent.pointerDown(stage, finger(1, 150));
    fireEvent.pointerDown(stage, finger(2, 250));
    fireEvent.pointerMove(stage, finger(2, 350));
    await settle();
    expect((stage.firstElementChild as HTMLElement).style.transform).toContain('scale(2)');
    fireEvent.pointerUp(stage, finger(1, 150));
    fireEvent.pointerUp(stage, finger(2, 350));
    await key('0');
    fireEvent.pointerDown(stage, finger(1, 300));
    fireEvent.pointerUp(stage, finger(1, 200));
    await settle();
    expect(seen()[0]).toBe('b.jpg');
  });

  it('closes when its picture leaves the conversation', async () => {
    const { push } = await show([picture('a.jpg')]);
    await press(thumb('a.jpg'));
    await push({
      name: 'message',
      data: { ticket_id: 't1', message: aMessage({ id: 'm0', key: null, body: '', files: [pdf] }) },
    });
    expect(viewer()).toBeNull();
  });
});

describe('a message that has only files', () => {
  const preview = (files?: MessageFile[]) => aTicket({ preview: { author_type: 'agent', text: '', files } });

  it('is named in the list by what it has', async () => {
    await showApp({
      site: site(),
      tickets: [
        preview([picture('a.jpg')]),
        { ...preview([picture('a.jpg'), pdf, pdf]), id: 't2' },
        { ...preview(), id: 't3' },
      ],
    });
    const rows = [...document.querySelectorAll('.ticket-preview span')].map(({ textContent }) => textContent);
    expect(rows).toEqual(['Picture', '3 files', '']);
  });

  it('of the customer is named so before the list of the BFF has it', async () => {
    const { models } = await show([picture('a.jpg')]);
    models.view.go({ name: 'start' });
    await settle();
    expect(document.querySelector('.ticket-preview span')!.textContent).toBe('Picture');
  });

  it('of support is announced by what it has', async () => {
    const { push } = await show([pdf]);
    await push({ name: 'ticket', data: { ...preview([{ ...pdf, picture: true }]), unread: 1 } });
    const said = [...document.querySelectorAll('output')].map(({ textContent }) => textContent);
    expect(said).toContain('Support – Picture');
  });
});

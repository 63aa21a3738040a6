import { attempt } from '../../../bridge/fields.ts';
import type { Core } from '../../deferred.ts';
import { element, safeDocument } from '../../dom.ts';
import { readUse } from '../../used.ts';

/** In `sessionStorage`: this visit gets no more invites. In `localStorage`: when the customer closed one. */
const KEY = 'deskside:invite';
const REST_MS = 24 * 60 * 60 * 1_000;
/** Three whole ones after typing. */
const PAUSE_SECONDS = 4;

/** A field for a card's number is in a frame of another site. */
const fields = 'input,textarea,select,iframe,[contenteditable]';

/** Whether the focus is in a field, also in shadow trees. */
function isTyping(): boolean {
  let focused = safeDocument.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return !!focused?.closest(fields);
}

/**
 * Whether a dialog is open, or something fills the screen. Pages keep closed dialogs hidden, transparent or outside the
 * window, where nothing can be pressed.
 */
const isCovered = () =>
  [...safeDocument.querySelectorAll('dialog,[role$=dialog],:modal')].some((each) => {
    const place = each.getBoundingClientRect();
    return each.contains(
      safeDocument.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2),
    );
  });

/** Whether this page has the path, in which `*` stands for any characters. */
function isHere(path: string): boolean {
  // As the browser writes it: “ü” is encoded.
  const pattern = new URL(path, location.origin).pathname.replace(/\W/g, '\\$&').replaceAll('\\*', '.*');
  return RegExp(`^${pattern}/?$`).test(location.pathname);
}

/** Whether this page is among those of the text. Paths after a `!` are left out, of all pages if there are no others. */
function isMeant(text: string): boolean {
  const paths = text.match(/(!\s*)?\S+/g) ?? [];
  const among = paths.filter((path) => path[0] !== '!');
  return !paths.some((path) => path[0] === '!' && isHere(path.slice(1))) && (!among[0] || among.some(isHere));
}

/**
 * Shows the site's invite over the launcher: at most once a visit, and never while something else goes on. It looks every
 * second, because no event tells of a new path, of a dialog, or that a field has lost the focus for good.
 */
export function createInvite(core: Core): (isOpen: boolean, unread: number) => void {
  const { settings, view, words, commands, signal } = core;
  const { root, shadow, launcher } = view;
  // Screen readers announce what is added to a status that they know already.
  const box = element('div', { role: 'status', dir: 'auto' });
  let timer: ReturnType<typeof setInterval> | undefined;
  /** What it waits for: a text on a path. */
  let subject = '';
  let secondsLeft = 0;
  let isOver = false;

  function end() {
    clearInterval(timer);
    box.parentNode?.removeChild(box);
  }
  signal.addEventListener('abort', end);

  function dismiss() {
    // After a press of a pointer the focus would only load the panel.
    if (shadow.activeElement?.matches(':focus-visible')) launcher.focus();
    end();
    localStorage[KEY] = Date.now();
  }
  box.addEventListener('keydown', ({ key }) => key === 'Escape' && dismiss());
  box.addEventListener('click', ({ target }) =>
    target === box.lastChild ? dismiss() : commands.open({ view: 'new' }),
  );

  function look() {
    const { inviteAfter = 30, invitePage = '*' } = settings;
    const invite = settings.invite?.trim();
    const isSame = subject === (subject = `${location.pathname} ${invite} ${inviteAfter}`);
    const isFree = !launcher.hidden && !isCovered();
    if (isOver || (box.firstChild && !(isSame && isFree))) {
      sessionStorage[KEY] = 1;
      return end();
    }
    if (!isSame) secondsLeft = inviteAfter;
    if (box.firstChild || !invite || safeDocument.hidden || !isMeant(invitePage)) return;
    secondsLeft = Math.max(secondsLeft - 1, isTyping() ? PAUSE_SECONDS : 0);
    if (secondsLeft > 0 || !isFree) return;
    // Guests who have written know the way.
    if (sessionStorage[KEY] || Date.now() - localStorage[KEY] < REST_MS || (readUse() && !core.proof))
      return end();
    sessionStorage[KEY] = 1;
    box.append(
      element('button', {}, invite.replace(/^(.{199})..+/su, '$1…')),
      element('button', { 'aria-label': words.close }, '×'),
    );
  }
  // Fails where storage is denied, which could not tell the next page, at a wrong path, and SECURITY: at a form whose fields
  // replace its members.
  const tryLook = () => attempt(look);

  return (isOpen, unread) => {
    // They have found the way, or have something more important to read.
    isOver = isOpen || !!unread;
    if (settings.invite && !timer) {
      root.prepend(box);
      timer = setInterval(tryLook, 1_000);
    }
    if (timer && (isOver || box.firstChild)) tryLook();
  };
}

import { deskside, loadDeskside } from './index.js';

/** @typedef {import('./component.d.ts').Identity} Identity */

/** A page’s successor may be mounted before the page is unmounted, as in a transition: the last one removes the widget. */
let mounted = 0;
let unread = 0;
/** @type {Set<() => void>} */
const readers = new Set();
/** @param {number} count */
function setUnread(count) {
  unread = count;
  readers.forEach((read) => read());
}

/** @type {import('./component.d.ts').Unread} */
export const unreadAnswers = {
  count: () => unread,
  subscribe(read) {
    readers.add(read);
    return () => readers.delete(read);
  },
};

/** @satisfies {Record<import('./deskside.d.ts').EventName, true>} */
const events = {
  ready: true,
  open: true,
  close: true,
  'ticket-created': true,
  'message-sent': true,
  'message-received': true,
  unread: true,
  error: true,
};
/** @type {typeof import('./component.d.ts').eventNames} */
export const eventNames = /** @type {never} */ (Object.keys(events));

/** @param {unknown} value Compared as text: a reactive object of Vue stays the same object when its fields change. */
function asText(value) {
  try {
    return JSON.stringify(value);
  } catch {
    // It refers to itself, such as an element of React. The script says that it is wrong.
    return '{}';
  }
}

/** @type {typeof import('./component.d.ts').startComponent} */
export function startComponent(emit) {
  mounted += 1;
  const lifetime = new AbortController();
  /** @type {Record<string, string | undefined>} The settings of the last call. */
  let applied = {};
  /** @type {Identity} */
  let last = {};

  for (const name of eventNames)
    document.addEventListener(
      `deskside:${name}`,
      (event) => {
        if (name === 'unread') setUnread(/** @type {{ count: number }} */ (event.detail).count);
        emit(name, event.detail);
      },
      { signal: lifetime.signal },
    );

  return {
    load(options) {
      const now = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, asText(value)]));
      // Only these: a new language or new texts load the panel again. One that is left out now is unset.
      const changed = Object.keys({ ...applied, ...now }).filter((name) => applied[name] !== now[name]);
      applied = now;
      if (changed.length === 0) return;
      const { src, nonce, integrity } = options;
      const settings = Object.fromEntries(changed.map((name) => [name, now[name] && JSON.parse(now[name])]));
      loadDeskside({ ...settings, src, nonce, integrity });
    },

    identify(now) {
      const before = last;
      last = now;
      if (now.identify) {
        // A function is made anew at each rendering: only another customer is a reason to ask it again.
        const isSame =
          before.customer === now.customer &&
          (before.identify === now.identify ||
            (typeof before.identify === 'function' && typeof now.identify === 'function'));
        if (!isSame) deskside('identify', typeof now.identify === 'string' ? now.identify : latestToken);
      } else if (before.identify) deskside('logout');
    },

    end() {
      lifetime.abort();
      mounted -= 1;
      if (mounted > 0) return;
      deskside('destroy');
      setUnread(0);
    },
  };

  async function latestToken() {
    const { identify } = last;
    return typeof identify === 'function' ? identify() : (identify ?? '');
  }
}

/** @typedef {{ createScriptURL: (url: string) => string }} Policy */
/** @typedef {{ createPolicy: (name: string, rules: Policy) => Policy }} TrustedTypes */
/**
 * The widget's own function, or a stub that keeps the calls in `q` for it.
 * @typedef {((...call: unknown[]) => any) & { q?: unknown[][] | { push: unknown } }} Callable
 */

/** @type {{ Deskside?: Callable, trustedTypes?: TrustedTypes }} */
const page = /** @type {never} */ (globalThis);

/** @type {Policy | undefined} */
let policy;
/** @type {HTMLScriptElement | undefined} The one that is under way. */
let script;
let subscriptions = new AbortController();
/** @type {(() => void) | undefined} Gives the page back its settings as they were before ours. */
let restoreSettings;

const isServer = () => typeof document === 'undefined';

/** @param {string} code */
function report(code) {
  document.dispatchEvent(new CustomEvent('deskside:error', { detail: { code } }));
}

/**
 * Listens on the document: that works before the script is loaded, and also when it cannot be loaded.
 * @param {string} name
 * @param {(detail: unknown) => void} handler
 */
function listen(name, handler) {
  const type = `deskside:${name}`;
  const hear = (/** @type {Event} */ event) => handler(/** @type {CustomEvent} */ (event).detail);
  document.addEventListener(type, hear, { signal: subscriptions.signal });
  return () => document.removeEventListener(type, hear);
}

/** @type {import('./index.d.ts').CallDeskside} */
export const deskside = (/** @type {string} */ command, /** @type {any[]} */ ...args) => {
  if (command === 'on') return isServer() ? () => {} : listen(args[0], args[1]);
  if (isServer()) return;
  if (command === 'destroy') {
    subscriptions.abort();
    subscriptions = new AbortController();
    restoreSettings?.();
    restoreSettings = undefined;
  }
  return (page.Deskside ??= createStub())(command, ...args);
};

/** @returns {Callable} */
function createStub() {
  /** @type {unknown[][]} */
  const q = [];
  return Object.assign((/** @type {unknown[]} */ ...call) => void q.push(call), { q });
}

/**
 * If the page's CSP requires Trusted Types, it has to allow the policy `deskside`. Other pages are not affected.
 * @param {string} url
 */
function trusted(url) {
  try {
    policy ??= page.trustedTypes?.createPolicy('deskside', { createScriptURL: (given) => given });
  } catch {
    // Not named: the page's default policy may still let the address pass.
  }
  return policy ? policy.createScriptURL(url) : url;
}

/** @param {Pick<import('./index.d.ts').LoadOptions, 'src' | 'nonce' | 'integrity'>} tag */
function insert({ src, nonce, integrity }) {
  const url = new URL(src);
  if (!url.pathname.endsWith('.js')) url.pathname = url.pathname.replace(/\/*$/, '/widget.js');
  const tag = document.createElement('script');
  if (nonce) tag.nonce = nonce;
  if (integrity) Object.assign(tag, { integrity, crossOrigin: 'anonymous' });
  tag.src = trusted(url.href);
  const end = () => {
    tag.remove();
    script = undefined;
  };
  tag.addEventListener('load', end);
  tag.addEventListener('error', () => {
    end();
    report('script_unavailable');
  });
  document.head.append(tag);
  script = tag;
}

/** @param {import('./index.d.ts').Settings} settings */
function setSettings(settings) {
  const own = window.DesksideSettings;
  restoreSettings ??= () => {
    if (own) window.DesksideSettings = own;
    else delete window.DesksideSettings;
  };
  window.DesksideSettings = { ...own, ...settings };
}

/** @type {typeof import('./index.d.ts').loadDeskside} */
export function loadDeskside({ src, nonce, integrity, ...settings }) {
  if (isServer()) return deskside;
  const calls = page.Deskside?.q;
  if (calls && !Array.isArray(calls)) {
    deskside('update', settings);
    return deskside;
  }
  // A `destroy` drops the calls before it: frameworks mount, unmount and mount again within a moment.
  calls?.splice(0, calls.findLastIndex(([name]) => name === 'destroy') + 1);
  setSettings(settings);
  try {
    if (!script) insert({ src, nonce, integrity });
  } catch {
    queueMicrotask(() => report('script_unavailable'));
  }
  return deskside;
}

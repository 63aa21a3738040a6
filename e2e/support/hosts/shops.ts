import { clobbered } from './clobbered.ts';

/** A host page with habits of its own. */
interface Shop {
  /** Content security policy of the page. */
  policy?: (bffUrl: string) => string;
  /** More headers of the page. */
  headers?: Record<string, string>;
  lang?: string;
  head?: string;
  body?: string;
  /** Attributes of the script tag, or no tag at all. */
  tag?: string | null;
  /**
   * As on most sites: the form has two fields, and the panel stays open over page changes. The others ask for a subject,
   * by which tests find a ticket, and begin each page with the launcher.
   */
  isUsual?: boolean;
}

const nonce = 'bm9uY2U';

/** The strictest policy that a site can have and still embed us. */
const strictPolicy = (bffUrl: string) =>
  [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    `frame-src ${bffUrl}`,
    'img-src data:',
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

const script = (code: string) => `<script nonce="${nonce}">${code}</script>`;
const style = (css: string) => `<style nonce="${nonce}">${css}</style>`;

/** Keeps what the page's policy refuses. */
const watch = script(`
  window.violations = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    violations.push([effectiveDirective, blockedURI, sample].join(' ')));
`);

/** Replaces the body as Turbo and pjax do, or removes the elements that the server did not send, as a morph does. */
const swaps = script(`
  const fresh = () => new DOMParser().parseFromString('<main><h1>Next page</h1></main>', 'text/html').body;
  window.swap = () => document.body.replaceWith(document.adoptNode(fresh()));
  window.morph = () => {
    for (const node of [...document.body.children]) if (!node.matches('main, script')) node.remove();
    for (const node of [...document.documentElement.children]) if (!node.matches('head, body')) node.remove();
  };
`);

/**
 * As the dialogs of libraries do: focus that leaves it is returned (focus-trap, Bootstrap), a press outside or Escape closes
 * it (Radix, React Aria, Headless UI, Magnific Popup), and everything else is inert.
 */
const focusTrap = `
  <div id="trap" role="dialog" aria-modal="true" aria-label="Newsletter"><input aria-label="Your address"></div>
  ${script(`
    const trap = document.getElementById('trap');
    const back = ({ target }) => trap.contains(target) || trap.querySelector('input').focus();
    document.addEventListener('focusin', back, true);
    document.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && back({ target: relatedTarget }), true);
    const hide = () => { for (const node of document.body.children) if (node !== trap) { node.inert = true; node.ariaHidden = 'true'; } };
    setTimeout(hide, 500);
    for (const type of ['pointerdown', 'mousedown', 'touchend', 'click'])
      document.addEventListener(type, ({ target }) => { trap.hidden ||= !trap.contains(target); }, true);
    for (const type of ['keydown', 'keyup'])
      document.addEventListener(type, ({ key }) => { trap.hidden ||= key === 'Escape'; }, true);
    trap.querySelector('input').focus();
  `)}`;

const modal = `
  <dialog id="basket" aria-label="Basket"><p>Your basket</p><button id="more">More</button><form method="dialog"><button>Close basket</button></form></dialog>
  <dialog id="inner" aria-label="Details"><button id="less">Less</button></dialog>
  <button id="show">Show basket</button>
  ${script(`
    show.onclick = () => basket.showModal();
    more.onclick = () => inner.showModal();
    less.onclick = () => inner.close();
  `)}`;

/** A modal as components have it: in a shadow tree, with what it shows in a slot. */
const componentModal = `
  <shop-basket><button id="done">Close basket</button></shop-basket>
  <button id="show">Show basket</button>
  ${script(`
    const root = document.querySelector('shop-basket').attachShadow({ mode: 'open' });
    const dialog = document.createElement('dialog');
    dialog.append(document.createElement('slot'));
    root.append(dialog);
    show.onclick = () => dialog.showModal();
    done.onclick = () => dialog.close();
  `)}`;

const fullscreen = `
  <div id="stage" style="background: #fff"><button id="full">Fill the screen</button></div>
  ${script('full.onclick = () => stage.requestFullscreen();')}`;

/** Rules that break everything they match. */
const hostile = style(`
  * { all: unset !important; }
  html { font-size: 60px !important; }
  body { filter: blur(0); transform: scale(0.5); overflow: hidden; }
  div, button, dialog { width: 1px !important; font-size: 99px !important; }
  iframe, dialog { display: none !important; }
`);

const isolated = (embedder: string): Shop => ({
  headers: { 'Cross-Origin-Embedder-Policy': embedder, 'Cross-Origin-Opener-Policy': 'same-origin' },
});

export const shops: Partial<Record<string, Shop>> = {
  '/strict': { policy: strictPolicy, body: watch },
  '/strict/violating': { policy: strictPolicy, body: `${watch}<script>window.wasRun = true</script>` },
  '/strict/all': {
    policy: strictPolicy,
    lang: 'de',
    body: `${modal}<deskside-widget></deskside-widget>`,
  },
  ...Object.fromEntries(
    Object.entries(clobbered).map(([path, body]) => [
      path,
      { policy: strictPolicy, body, tag: 'data-title-badge' },
    ]),
  ),
  '/no-frames': { policy: () => "frame-src 'self'" },
  '/no-frames/strict': { policy: (bffUrl) => strictPolicy(bffUrl).replace(`frame-src ${bffUrl}; `, '') },
  '/swaps': { body: swaps },
  '/twice': { body: '<script async src="BFF/widget.js"></script>' },
  '/late': { tag: null },
  '/module': { tag: null, body: '<script type="module" src="BFF/widget.js" data-brand="Kettle"></script>' },
  '/hashed': { tag: null, headers: { 'Integrity-Policy': 'blocked-destinations=(script)' } },
  '/hostile': { head: hostile },
  '/ordered': {
    tag: 'data-z-index="5" data-offset="40" data-position="left"',
    head: style('header { position: fixed; inset: 0; z-index: 6; background: #fff }'),
    body: '<header>A header</header>',
  },
  ...Object.fromEntries(
    ['99999', 'abc'].map((offset) => [`/offset/${offset}`, { tag: `data-offset="${offset}"` }]),
  ),
  '/own-launcher': {
    tag: 'data-launcher=".help" data-title-badge',
    body: `<button class="help"><b>Help</b></button><div id="later"></div>`,
  },
  '/modal': { body: modal },
  '/ordered-modal': { body: modal, tag: 'data-z-index="5"' },
  '/component-modal': { body: componentModal },
  '/fullscreen': { body: fullscreen },
  '/focus-trap': { body: focusTrap },
  '/inline': {
    body:
      script('window.Deskside ??= function () { (Deskside.q ??= []).push(arguments) }; Deskside("hide")') +
      '<deskside-widget id="one"></deskside-widget><deskside-widget id="two" data-greeting="Anything about tea?" style="height: 400px"></deskside-widget>',
  },
  '/inline/priority': { tag: 'data-priority', body: '<deskside-widget></deskside-widget>' },
  '/inline/below': {
    body: '<input aria-label="Search"><div style="height: 3000px"></div><deskside-widget></deskside-widget>',
  },
  '/isolated/require-corp': isolated('require-corp'),
  '/isolated/credentialless': isolated('credentialless'),
  '/sandboxed/no-origin': { policy: () => 'sandbox allow-scripts' },
  '/usual': { isUsual: true },
  '/german': { lang: 'de-AT' },
  '/arabic': { lang: 'ar', tag: 'data-brand=""' },
};

export const shopPage = (
  bffUrl: string,
  { lang = 'en', head = '', body = '', tag = '', isUsual = false }: Shop,
) => `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>A shop</title><link rel="icon" href="data:,">${head}</head>
<body>
<main>
<h1>A shop</h1>
<p><a href="/second">Second page</a></p>
</main>
${body.replaceAll('BFF', bffUrl)}
${tag === null ? '' : `<script async nonce="${nonce}" src="${bffUrl}/widget.js" data-brand="Acme" data-color="#0b6b5d" ${isUsual ? '' : 'data-subject="ask" data-stay-open="false" '}${tag}></script>`}
</body>
</html>`;

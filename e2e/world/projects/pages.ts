import type { Host, Project } from '../project.ts';
import { recipe, tag } from '../recipes.ts';
import { dialog } from './dialog.ts';

interface Page {
  title: string;
  package?: string;
  recipe?: string;
  /** A module of the page. */
  script?: string;
  /** The button and the dialog. */
  dialog?: string;
  /** How the widget is put in, if not by the tag. */
  widget?: (bff: string) => Promise<string>;
  note?: string;
}

const field = '<label>Name <input></label>';
/** For dialogs without a library: the button sets the class by which the stylesheet shows them. */
const byClass = (
  name: string,
  element: string,
) => `document.querySelector('#open').onclick = () => document.querySelector('${element}').classList.add('${name}');
document.querySelector('#close').onclick = () => document.querySelector('${element}').classList.remove('${name}');`;
const openButton = '<button id="open">Open dialog</button>';
const closeButton = '<button id="close">Close dialog</button>';

const foundationReveal = `${openButton}<div class="reveal" id="reveal" data-reveal>${field}<button data-close>Close dialog</button></div>`;

const pages: Record<string, Page> = {
  plain: { title: 'Plain page', note: 'a full load for each page' },
  turbo: {
    title: 'Turbo',
    package: '@hotwired/turbo@8',
    script: `import '@hotwired/turbo';`,
    recipe: 'Single-page applications',
  },
  htmx: {
    title: 'htmx',
    package: 'htmx.org@4',
    script: `import 'htmx.org';`,
    recipe: 'Single-page applications',
    note: '`hx-boost` on the body',
  },
  shopify: {
    title: 'Shopify',
    package: 'liquidjs@10',
    recipe: 'Shopify',
    widget: (bff) => recipe('Shopify', 'liquid', bff),
    note: 'the Liquid recipe drawn by `liquidjs`; Shopify itself cannot run here',
  },
  gtm: {
    title: 'Google Tag Manager',
    recipe: 'Google Tag Manager',
    widget: async (bff) => `<script>
const holder = document.createElement('div');
holder.innerHTML = ${JSON.stringify(await recipe('Google Tag Manager', 'html', bff)).replaceAll('</', '<\\/')};
for (const script of holder.querySelectorAll('script')) {
  const copy = document.createElement('script');
  copy.text = script.text;
  document.head.append(copy);
}
</script>`,
    note: 'the page inserts the snippet as Tag Manager does; Tag Manager itself cannot run here',
  },
  bootstrap: {
    title: 'Bootstrap',
    package: 'bootstrap@5',
    script: `import 'bootstrap/dist/css/bootstrap.css'; import 'bootstrap';`,
    dialog: `<button data-bs-toggle="modal" data-bs-target="#modal">Open dialog</button>
<div class="modal" id="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content"><div class="modal-body">
${field}<button data-bs-dismiss="modal">Close dialog</button></div></div></div></div>`,
  },
  sweetalert2: {
    title: 'SweetAlert2',
    package: 'sweetalert2@11',
    script: `import Swal from 'sweetalert2';
document.querySelector('#open').onclick = () => Swal.fire({ input: 'text', inputLabel: 'Name', confirmButtonText: 'Close dialog' });`,
    dialog: openButton,
  },
  'jquery-ui': {
    title: 'jQuery UI',
    package: 'jquery-ui@1',
    script: `import './jquery.js'; import 'jquery-ui/dist/jquery-ui.js'; import 'jquery-ui/dist/themes/base/jquery-ui.css';
const order = jQuery('#order').dialog({ modal: true, autoOpen: false });
document.querySelector('#open').onclick = () => order.dialog('open');
document.querySelector('#close').onclick = () => order.dialog('close');`,
    dialog: `${openButton}<div id="order">${field}${closeButton}</div>`,
  },
  'focus-trap': {
    title: 'focus-trap',
    package: 'focus-trap@8',
    script: `import { createFocusTrap } from 'focus-trap';
const box = document.querySelector('#box');
const trap = createFocusTrap(box, { onDeactivate: () => (box.hidden = true) });
document.querySelector('#open').onclick = () => { box.hidden = false; trap.activate(); };
document.querySelector('#close').onclick = () => trap.deactivate();`,
    dialog: `${openButton}<div id="box" role="dialog" aria-modal="true" hidden>${field}${closeButton}</div>`,
  },
  tailwind: {
    title: 'Tailwind CSS',
    package: 'tailwindcss@4',
    script: `import './tailwind.css';`,
    note: 'with its reset (Preflight)',
  },
  foundation: {
    title: 'Foundation',
    package: 'foundation-sites@6',
    script: `import 'foundation-sites/dist/css/foundation.css'; import './jquery.js'; import 'foundation-sites';
jQuery(document).foundation();
document.querySelector('#open').onclick = () => jQuery('#reveal').foundation('open');`,
    dialog: foundationReveal,
  },
  pico: { title: 'Pico CSS', package: '@picocss/pico@2', script: `import '@picocss/pico';` },
  bulma: {
    title: 'Bulma',
    package: 'bulma@1',
    script: `import 'bulma/css/bulma.css';\n${byClass('is-active', '.modal')}`,
    dialog: `${openButton}<div class="modal"><div class="modal-background"></div><div class="modal-content"><div class="box">
${field}${closeButton}</div></div></div>`,
  },
};

async function html(page: Page, name: string, title: string, bff: string): Promise<string> {
  const widget = await (page.widget ?? tag)(bff);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${page.title}</title><link rel="icon" href="data:,">
<script type="module">${page.script ?? ''}</script>${widget}</head>
<body${name === 'htmx' ? ' hx-boost:inherited="true"' : ''}>
<h1>${title}</h1><a href="/${name}-second.html">Second page</a>${page.dialog ?? dialog}</body></html>`;
}

const host = ([name, page]: [string, Page]): Host => ({
  name: page.title,
  ...(page.package && { version: page.package.replace(/@\d+$/, '') }),
  recipe: page.recipe ?? 'Embedding',
  path: `/${name}.html`,
  ...(page.note && { note: page.note }),
});

/** Pages of HTML, bundled by Vite, which draws Shopify's template before. */
export const htmlPages: Project = {
  name: 'pages',
  starter: 'create-vite@9 {name} --template vanilla-ts --no-interactive',
  packages: [
    ...Object.values(pages).flatMap((each) => each.package ?? []),
    '@tailwindcss/vite@4',
    '@popperjs/core@2',
    'jquery@3',
  ],
  files: async (bff) => {
    const files: Record<string, string | null> = {
      'index.html': await html(pages['plain']!, 'plain', 'A shop', bff),
      'jquery.js': `import jQuery from 'jquery';\nwindow.jQuery = window.$ = jQuery;`,
      'tailwind.css': `@import 'tailwindcss';`,
      'draw.mjs': `import { readFile, writeFile } from 'node:fs/promises';
import { Liquid } from 'liquidjs';
const values = { shop: { name: 'Kettle & "Clay"' }, request: { locale: { iso_code: 'en' } } };
for (const file of ['shopify.html', 'shopify-second.html'])
  await writeFile(file, await new Liquid().parseAndRender(await readFile(file, 'utf8'), values));`,
      'vite.config.ts': `import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
const pages = ${JSON.stringify(Object.keys(pages).flatMap((name) => [name, `${name}-second`]))};
export default defineConfig({ plugins: [tailwindcss()], build: { cssMinify: false, rollupOptions: { input: pages.map((name) => name + '.html') } } });`,
    };
    for (const [name, page] of Object.entries(pages)) {
      files[`${name}.html`] = await html(page, name, 'A shop', bff);
      files[`${name}-second.html`] = await html(page, name, 'The second page', bff);
    }
    return files;
  },
  build: 'node draw.mjs && vite build',
  serve: 'vite preview --port {port}',
  hosts: Object.entries(pages).map(host),
};

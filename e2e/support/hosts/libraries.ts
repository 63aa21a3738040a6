import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

interface Library {
  name: string;
  styles?: string;
  script?: string;
  /** The button that opens the modal dialog, and the dialog. */
  dialog: string;
}

const field = '<label>Name <input></label>';
const nativeDialog = `<button onclick="document.querySelector('dialog').showModal()">Open dialog</button>
<dialog><form method="dialog">${field}<button>Close dialog</button></form></dialog>`;

/** Of those that `npm run world` visits, these need no build. */
export const libraries: Library[] = [
  { name: 'tailwind', styles: require.resolve('tailwindcss/preflight.css'), dialog: nativeDialog },
  { name: 'pico', styles: require.resolve('@picocss/pico/css/pico.min.css'), dialog: nativeDialog },
  {
    name: 'bulma',
    styles: require.resolve('bulma/css/bulma.min.css'),
    dialog: `<button onclick="document.querySelector('.modal').classList.add('is-active')">Open dialog</button>
<div class="modal"><div class="modal-background"></div><div class="modal-content"><div class="box">${field}
<button onclick="document.querySelector('.modal').classList.remove('is-active')">Close dialog</button></div></div></div>`,
  },
  {
    name: 'bootstrap',
    styles: require.resolve('bootstrap/dist/css/bootstrap.min.css'),
    script: require.resolve('bootstrap/dist/js/bootstrap.bundle.min.js'),
    dialog: `<button data-bs-toggle="modal" data-bs-target="#modal">Open dialog</button>
<div class="modal" id="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content">${field}
<button data-bs-dismiss="modal">Close dialog</button></div></div></div>`,
  },
  {
    name: 'a11y-dialog',
    script: require.resolve('a11y-dialog/dist/a11y-dialog.min.js'),
    dialog: `<button data-a11y-dialog-show="modal">Open dialog</button>
<style>[aria-hidden] { display: none } #modal { position: fixed; inset: 20% 30% }</style>
<div id="modal" data-a11y-dialog="modal" aria-hidden="true" aria-label="Order">${field}
<button data-a11y-dialog-hide>Close dialog</button></div>`,
  },
];

const read = (file: string | undefined) => (file ? readFileSync(file, 'utf8') : '');

const html = (title: string, { name, styles, script, dialog }: Library, bffUrl: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">
<style>${read(styles)}</style></head>
<body><h1>${title}</h1><a href="/libraries/${name}/second">Second page</a>${dialog}
<script>${read(script)}</script><script async src="${bffUrl}/widget.js"></script></body></html>`;

/** Two pages of each library, by path. */
export const libraryPages = Object.fromEntries(
  libraries.flatMap((library) => [
    [`/libraries/${library.name}`, (bffUrl: string) => html('A shop', library, bffUrl)],
    [`/libraries/${library.name}/second`, (bffUrl: string) => html('The second page', library, bffUrl)],
  ]),
);

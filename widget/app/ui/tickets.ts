import css from '../styles/thread.css?inline';

/** The views of a customer who has tickets; with their style, since their script comes by itself. */
export { Start } from './Start.tsx';
export { Thread } from './Thread.tsx';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

import { runnerImport } from 'vite';
import { languages } from '../../shared/i18n/languages.ts';
import type { Built } from './build-in-memory.ts';
import { type FirstViews, frameDocuments } from './frame-document.ts';

/** The frame document of each language, with the first views of the app in it. `inline`: the script in the document. */
export async function prerenderFrames(app: Built, inline: Built) {
  const { module } = await runnerImport<FirstViews>('./widget/app/prerender.tsx', {
    configFile: false,
    define: { 'navigator.platform': '""' },
  });
  const fileOf = (chunk: string) => app.chunks.find(({ name }) => name === chunk)!.fileName;
  return frameDocuments(
    {
      inlineScript: inline.entry.code,
      // Without what Vite adds for `light-dark()`, which the app does not use.
      style: app.style.replaceAll(/--lightningcss-(light|dark):[^;]*;/g, ''),
      entry: `./${app.entry.fileName}`,
      preloads: app.entry.imports.map((file) => `./${file}`),
      returning: ['conversation', 'returning'].map((chunk) => `./${fileOf(chunk)}`),
      renderForm: module.renderForm,
      renderHome: module.renderHome,
    },
    languages,
  );
}

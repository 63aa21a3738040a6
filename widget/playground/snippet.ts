import { type Choices, difference, untouched } from './choices.ts';

const attribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** SECURITY: `</script>` in a text would end the script that contains it. */
const literal = (value: unknown) => JSON.stringify(value, null, 2).replaceAll('<', '\\u003c');

/** The tag to paste into a page, with only the chosen settings. */
export function tagSnippet(origin: string, choices: Choices): string {
  const { texts, ...others } = difference(untouched, choices);
  const attributes = Object.entries(others)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `\n  data-${kebab(name)}="${attribute(String(value))}"`);
  const script = texts
    ? `<script>\n  window.DesksideSettings = ${indent(literal({ texts }))};\n</script>\n`
    : '';
  const src = `src="${attribute(origin)}/widget.js"`;
  return attributes.length
    ? `${script}<script\n  async\n  ${src}${attributes.join('')}\n></script>`
    : `${script}<script async ${src}></script>`;
}

/** The same with the npm package. */
export function moduleSnippet(origin: string, choices: Choices): string {
  const options = literal({ src: origin, ...difference(untouched, choices) });
  return `import { loadDeskside } from '@deskside/widget';\n\nloadDeskside(${options});`;
}

const indent = (text: string) => text.replaceAll('\n', '\n  ');

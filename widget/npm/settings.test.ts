import { describe, expect, it } from 'vitest';
import page from '../../docs/embedding.md?raw';
import { Deskside } from './vue.js';

/**
 * The compiler checks the props against the types of the package, and these against the types of the loader and the
 * frame.
 */
const settings = (Deskside as unknown as { props: string[] }).props.filter(
  (name) => !['src', 'nonce', 'integrity', 'identify', 'customer'].includes(name),
);
const [, table] = /^## Settings$([^]*?)^## /m.exec(page)!;
const rows = [...table!.matchAll(/^\| `(\w+)` +\| (?:`([\w-]+)`)? +\|/gm)].map(([, name, attribute]) => ({
  name: name!,
  attribute,
}));

/** Converts a name in `dataset` to the name of its attribute, as browsers do. */
const attributeOf = (name: string) =>
  `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

describe('the table of settings in docs/embedding.md', () => {
  it('lists every setting of the widget once, and no others', () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(settings.toSorted());
  });

  it('names the attribute by which the loader reads each setting, except texts, which is an object', () => {
    expect(rows.filter(({ name }) => name !== 'texts')).toEqual(
      settings.filter((name) => name !== 'texts').map((name) => ({ name, attribute: attributeOf(name) })),
    );
    expect(rows.find(({ name }) => name === 'texts')!.attribute).toBeUndefined();
  });
});

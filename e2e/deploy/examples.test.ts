import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { settings } from '../../bff/config.ts';

const known = new Set(settings.flatMap(({ name }) => [name, `${name}_FILE`]));
/** Of Node and of the example for Caddy. */
const others = new Set(['NODE_ENV', 'SUPPORT_HOST', 'DESKSIDE', 'CMD', 'ALL', 'VOLUME']);

const files = (await readdir('deploy')).filter((name) =>
  /^(Dockerfile|compose\.yaml|kubernetes\.yaml|deskside\.service)$/.test(name),
);

describe.each(files)('deploy/%s', (file) => {
  it('sets only what the configuration reads', async () => {
    const text = await readFile(`deploy/${file}`, 'utf8');
    const set = [...text.matchAll(/(?:^ENV |^Environment=| |name: )([A-Z][A-Z_]{2,})(?==|: |, value)/gm)].map(
      ([, name]) => name!,
    );
    expect(set.length).toBeGreaterThan(2);
    expect(set.filter((name) => !known.has(name) && !others.has(name))).toEqual([]);
  });
});

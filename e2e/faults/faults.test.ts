import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildForFaults } from './servers/build.ts';
import { everything, setBack, withFiles } from './schedules/profiles.ts';
import { search } from './bench.ts';

it('failpoints exist only in the build of the fault bench', async () => {
  const built = await buildForFaults();
  const hasFailpoints = async (entry: string) => {
    const names = (await readdir(dirname(entry))).filter((name) => name.endsWith('.js'));
    const codes = await Promise.all(names.map((name) => readFile(join(dirname(entry), name), 'utf8')));
    return codes.some((code) => /process\.env\W+FAILPOINT/.test(code));
  };
  expect(await Promise.all([built.bff, 'dist/bff/main.js'].map(hasFailpoints))).toEqual([true, false]);
  await built.remove();
});

describe('delivery under faults', () => {
  it('loses nothing and sends nothing twice [delivery-27]', async () => {
    const { explanation, sends } = await search([], { profile: everything, firstSeed: 1, runs: 12 });
    expect(explanation).toBe('');
    expect(sends).toBeGreaterThan(50);
  });

  it('loses no file, sends none twice or with another message, and keeps none of no message', async () => {
    const { explanation, sends } = await search([], { profile: withFiles, firstSeed: 1, runs: 5 });
    expect(explanation).toBe('');
    expect(sends).toBeGreaterThan(15);
  });

  it('sends nothing twice from a store that was set back', async () => {
    const { explanation, sends } = await search([], { profile: setBack, firstSeed: 1, runs: 4 });
    expect(explanation).toBe('');
    expect(sends).toBeGreaterThan(30);
  });
});

import { describe, expect, it } from 'vitest';
import { buildForFaults } from './servers/build.ts';
import { mutants } from './mutants.ts';
import { search } from './bench.ts';

describe('the bench', () => {
  it.each(mutants)('detects a delivery that $name', async ({ mutations, profile, shows }) => {
    const { wrong } = await search(mutations, { profile, firstSeed: 1, runs: 24 });
    expect(wrong).toContainEqual(expect.stringMatching(shows));
  });

  it('refuses a mutant whose place in the source no longer exists', async () => {
    const moved = { file: 'bff/core/delivery/machine.ts', from: 'a text that is not there', to: '' };
    await expect(buildForFaults([moved])).rejects.toThrow('holds 0 times');
  });
});

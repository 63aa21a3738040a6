import { check } from 'recheck';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findRegExps } from './regexps.ts';

const params = {
  // Many times longer than necessary, so that the result does not depend on the machine's speed.
  timeout: 240_000,
  attackTimeout: 60_000,
  randomSeed: 1,
  // Larger automata take minutes, and searching for an attack takes seconds.
  maxNFASize: 1_000,
  // A tenth of the default text and a hundredth of its steps: still many more than linear time needs.
  maxAttackStringSize: 30_000,
  attackLimit: 15_000_000,
};
/** Uses the checker's native program, or its JavaScript on systems without one. */
async function isLinear(source: string, flags: string): Promise<boolean> {
  const found = await check(source, flags, params);
  if (found.status === 'unknown') throw new Error(`not checked: ${JSON.stringify(found.error)}`);
  return found.status === 'safe';
}

const { literals, made } = findRegExps(['bff', 'widget', 'service', 'shared']);

describe('a regular expression of BFF, widget, service or shared code', () => {
  it.each(
    literals.map(({ source, flags, places }) => [`/${source}/${flags}`, places.join(', '), source, flags]),
  )(
    '%s takes time linear in its text (%s) [overload-19]',
    async (_literal, _places, source, flags) => expect(await isLinear(source, flags)).toBe(true),
    300_000,
  );

  it('is a literal, so that it is checked here, a class of single letters, or one of the operator or of the page, which only browsers run', () => {
    expect(made.map((place) => place.replace(/:\d+$/, ''))).toEqual([
      'bff/core/text/lookalikes.ts',
      'bff/extras/form/form-file.ts',
      'widget/app/form/answers.ts',
      'widget/loader/deferred/panel/invite.ts',
    ]);
  });
});

// The first uses the native program. The second is the checker's JavaScript, which must give the same result.
describe.each(['auto', 'pure'])('the checker as “%s”', (backend) => {
  beforeEach(() => void vi.stubEnv('RECHECK_BACKEND', backend));
  afterEach(() => void vi.unstubAllEnvs());

  it.each([
    ['a run before what is not there', /^(?=[ \u2028]*deskside)./gm],
    ['spaces at an end', /\s+$/],
    ['two that may match the same', /^([^:]*):? ?(.*)$/],
    ['nested repetition', /^(a+)+$/],
    ['alternatives of which one begins like another', /^(?:a|aa)+$/],
    ['alternatives that differ by case alone', /^(?:a|A)+$/i],
    ['a letter that is in a class of letters', /^(?:\p{L}|é)+$/u],
    ['the same letter after a look behind', /^(?:a|(?<=a)a)+$/],
  ])('finds %s', async (_, { source, flags }) => expect(await isLinear(source, flags)).toBe(false), 300_000);

  it.each([
    ['runs with a sign between them', /^[a-z]+:[0-9]+$/],
    ['alternatives that never match the same', /^(?:a|b)+$/i],
    ['a look ahead at one letter', /^(?=[a-z])[a-z0-9]+$/],
    ['letters and digits', /^(?:\p{L}|\d)+$/u],
  ])('accepts %s', async (_, { source, flags }) => expect(await isLinear(source, flags)).toBe(true), 300_000);
});

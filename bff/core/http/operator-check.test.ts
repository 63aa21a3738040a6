import { afterEach, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { checkHeader, checkProof, forwardedHeader } from './operator-check.ts';

let bff: TestBff;
afterEach(() => bff.stop());

const ask = async (proof: string) => {
  const { status, headers } = await bff.browser().request('GET', paths.session, undefined, {
    [checkHeader]: proof,
    'X-Forwarded-For': '1.2.3.4, 10.0.0.1',
  });
  return [status, headers.get(forwardedHeader)];
};

it('a request that proves the secret key gets the addresses it came with, and any other gets none [overload-41]', async () => {
  bff = await startBff({ trustedProxies: 1 });
  const proof = checkProof(bff.seal.hash, bff.now());
  expect(await ask(proof)).toEqual([200, 'entries=2; trusted=1']);
  expect(await ask('a guess')).toEqual([200, null]);
  expect(await ask(checkProof((_, text) => text, bff.now()))).toEqual([200, null]);
  bff.clock.offsetMs = 10 * 60_000;
  expect(await ask(proof)).toEqual([200, null]);
});

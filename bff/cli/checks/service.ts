import { explainCode } from '../../core/connection-errors.ts';
import { systemClock } from '../../core/clock.ts';
import { createV1Client } from '../../core/v1/client.ts';
import type { V1Failure } from '../../core/v1/failure.ts';
import { createKeyRing } from '../../core/v1/keys.ts';
import { advice, type Problem, problemOf } from '../../core/v1/service-check.ts';
import { type Check, type CheckContext, fail, ok, once, warn } from '../../core/operator/check.ts';

const maxApartMs = 15_000;

interface Probe {
  problem: Problem | null;
  failure: V1Failure | null;
  /** The service's clock ahead of ours; null when its answers have no `Date`. */
  aheadMs: number | null;
}

const describe = (failure: V1Failure | null) =>
  failure === null
    ? 'it answers'
    : failure.kind === 'uncertain'
      ? failure.reason
      : failure.kind === 'refused'
        ? `status ${failure.status}`
        : failure.kind === 'not_connected'
          ? (explainCode(failure.reason ?? '') ?? 'not connected')
          : failure.kind.replace('_', ' ');

/** Reads one ticket of the service with each key, and writes nothing. */
export function serviceChecks({ config, now }: CheckContext): Check[] {
  async function probe(key: string): Promise<Probe> {
    const { url, timeoutMs } = config().upstream;
    const keys = createKeyRing({ keys: [key], keyFile: undefined });
    const v1 = createV1Client({ url, timeoutMs, keys, now, elapsed: systemClock.elapsed });
    const first = await v1.probe();
    // The service's clock is known after two answers that agree.
    await v1.probe();
    const serviceNow = v1.serviceNow();
    await v1.abort();
    return {
      problem: first.ok ? null : problemOf(first.failure),
      failure: first.ok ? null : first.failure,
      aheadMs: serviceNow === null ? null : serviceNow - now(),
    };
  }
  const probes = once(() => Promise.all(createKeyRing(config().upstream).current().map(probe)));
  /** The result of the key that got furthest. */
  const best = async () => {
    const all = await probes();
    return (
      all.find(({ problem }) => problem === null) ?? all.find(({ problem }) => problem !== 'key') ?? all[0]!
    );
  };
  const failOn = async (cause: Problem, good: string) => {
    const { problem, failure } = await best();
    return problem === cause ? fail(describe(failure)) : ok(good);
  };

  return [
    {
      name: 'service-url',
      needs: ['configuration'],
      fix: 'Take /api/v1 from the end of SUPPORT_API_URL: the BFF adds it.',
      run() {
        const { pathname } = new URL(config().upstream.url);
        return /\/api(\/v1)?\/?$/.test(pathname)
          ? fail(`SUPPORT_API_URL ends with ${pathname}`)
          : ok('SUPPORT_API_URL ends before /api/v1');
      },
    },
    {
      name: 'service-reachable',
      needs: ['configuration'],
      fix: advice.address,
      run() {
        try {
          createKeyRing(config().upstream);
        } catch (error) {
          return fail(
            (error as Error).message,
            'Put the key into that file, and let the user who runs the BFF read it.',
          );
        }
        return failOn('address', `${new URL(config().upstream.url).host} answers`);
      },
    },
    {
      name: 'service-path',
      needs: ['service-url', 'service-reachable'],
      fix: advice.path,
      run: () => failOn('path', 'the path leads to an API'),
    },
    {
      name: 'service-key',
      needs: ['service-path'],
      fix: advice.key,
      async run() {
        const all = await probes();
        const refused = all.flatMap(({ problem }, at) => (problem === 'key' ? [at + 1] : []));
        if (refused.length === all.length)
          return fail(`the service refuses ${all.length === 1 ? 'the key' : 'both keys'}`);
        if (refused.length === 0) return ok(all.length === 1 ? 'the key is valid' : 'both keys are valid');
        const [first, second] = ['first', 'second'];
        const bad = refused[0] === 1 ? first : second;
        return warn(
          `the service refuses the ${bad} key and takes the other one`,
          `Take the ${bad} key out of SUPPORT_API_KEY, or out of its file.`,
        );
      },
    },
    {
      name: 'service-answers',
      needs: ['service-key'],
      fix: advice.outage,
      async run() {
        const { failure } = await best();
        if (failure === null) return ok('it answers like a v1 service');
        return failure.kind === 'rate_limited'
          ? warn(
              'it refuses calls for now, since it got too many',
              'Ask again later, or raise the limits of the service.',
            )
          : fail(describe(failure));
      },
    },
    {
      name: 'service-clock',
      needs: ['service-answers'],
      fix: 'Let both machines take their time from a time server (NTP).',
      async run() {
        const { aheadMs } = await best();
        if (aheadMs === null)
          return warn(
            'its answers have no Date',
            'Let the service send the header Date: sends in doubt are found by it.',
          );
        const apart = `its clock and ours are ${Math.round(Math.abs(aheadMs) / 1_000)} s apart`;
        return Math.abs(aheadMs) > maxApartMs ? fail(apart) : ok(apart);
      },
    },
  ];
}

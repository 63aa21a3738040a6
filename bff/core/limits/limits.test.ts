import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createSeal } from '../store/seal.ts';
import { usualLimits } from '../../testing/operator/limits.ts';
import { openCounterFile } from '../store/counters.ts';
import { createLimits, isNear, limitHeaders, type Limits, type Spend } from './limits.ts';

const seal = createSeal('a secret of more than thirty-two characters');
const ticket = (session: string, ip: string): Spend[] => [
  { policy: 'tickets-session', key: session },
  { policy: 'tickets-ip', key: ip },
];
const underAddress = (hash: string): Spend[] => [{ policy: 'tickets-address-network', key: hash }];

describe('limits', () => {
  const dir = mkdtempSync(join(tmpdir(), 'deskside-limits-'));
  const open: Limits[] = [];
  let errors: unknown[] = [];
  const start = (file: string | null = null) => {
    const limits = createLimits({
      counterStore: openCounterFile(file),
      settings: usualLimits,
      seal,
      refusals: createMetrics().limitRefusals,
      onError: (error) => errors.push(error),
    });
    open.push(limits);
    return limits;
  };
  const refusal = (limits: Limits, spends: Spend[]) =>
    limits.take(spends).then(
      () => null,
      (error: unknown) => error as AppError,
    );
  const left = async (limits: Limits, spends: Spend[]) => {
    const states = await limits.take(spends);
    await limits.giveBack(spends);
    return states.map(({ remaining }) => remaining + 1);
  };

  beforeEach(() => {
    errors = [];
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    for (const limits of open.splice(0)) limits.close();
    vi.useRealTimers();
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it.each([
    ['while they are counted', false],
    ['while nobody ran', true],
  ])('last no longer than their window though the clock is set back %s', async (_, isRestarted) => {
    const file = join(dir, `set-back-${isRestarted}.db`);
    let limits = start(file);
    for (let n = 0; n < 5; n += 1) await limits.take(ticket('s', 'ip'));
    if (isRestarted) open.splice(0).forEach((each) => each.close());
    vi.setSystemTime(Date.now() - 7_200_000);
    if (isRestarted) limits = start(file);
    else limits.clockWasSet();
    // SQLite needs no turn of the event loop for what is done in the background.
    await setImmediate();
    expect(await refusal(limits, ticket('s', 'ip'))).toMatchObject({ retryAfterSec: 3_600 });
    vi.advanceTimersByTime(3_600_000);
    expect(await refusal(limits, ticket('s', 'ip'))).toBeNull();
  });

  it('let through as many requests as the policy says, then give the time to wait', async () => {
    const limits = start();
    for (let n = 0; n < 5; n += 1) await limits.take(ticket('s', 'ip'));
    vi.advanceTimersByTime(600_000);
    const refused = await refusal(limits, ticket('s', 'ip'));
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: 'rate_limited', retryAfterSec: 3_000 });
    vi.advanceTimersByTime(2_999_000);
    expect(await refusal(limits, ticket('s', 'ip'))).toMatchObject({ retryAfterSec: 1 });
    vi.advanceTimersByTime(1_000);
    expect(await refusal(limits, ticket('s', 'ip'))).toBeNull();
  });

  it('take nothing when any of the policies is used up', async () => {
    const limits = start();
    for (let n = 0; n < 5; n += 1) await limits.take(ticket('busy', 'ip'));
    for (let n = 0; n < 50; n += 1) expect(await refusal(limits, ticket('busy', 'ip'))).not.toBeNull();
    expect(await left(limits, ticket('other', 'ip'))).toEqual([5, 5]);
  });

  it('hold for any number of requests at the same moment [overload-4]', async () => {
    const limits = start();
    const answers = await Promise.all(Array.from({ length: 40 }, () => refusal(limits, ticket('s', 'ip'))));
    expect(answers.filter((answer) => answer === null)).toHaveLength(5);
    expect(await left(limits, ticket('other', 'ip'))).toEqual([5, 5]);
  });

  it('hold together for two processes with the same file in a burst at each', async () => {
    const both = [start(join(dir, 'shared.db')), start(join(dir, 'shared.db'))];
    const asked = Array.from({ length: 40 }, (_, n) => refusal(both[n % 2]!, ticket('s', 'ip')));
    const passed = (await Promise.all(asked)).filter((answer) => answer === null).length;
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThanOrEqual(5);
    expect(await left(both[0]!, ticket('other', 'ip'))).toEqual([5, 10 - passed]);
  });

  it('let 1,000 sources open three tickets a day under one address', async () => {
    const limits = start();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, n) =>
        refusal(limits, [...ticket(`s${n}`, `ip${n}`), ...underAddress('victim')]),
      ),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(3);
    vi.advanceTimersByTime(86_399_000);
    expect(await refusal(limits, underAddress('victim'))).not.toBeNull();
    vi.advanceTimersByTime(1_000);
    expect(await refusal(limits, underAddress('victim'))).toBeNull();
  });

  it('do not reveal how often others used an address, nor when [isolation-20]', async () => {
    const limits = start();
    const spends = [...ticket('s', 'ip'), ...underAddress('somebody')];
    const first = await limits.take(spends);
    expect(first.map(({ policy }) => policy)).toEqual(['tickets-session', 'tickets-ip']);
    for (let n = 0; n < 2; n += 1) expect(await limits.take(underAddress('somebody'))).toEqual([]);
    vi.advanceTimersByTime(3_600_000);
    const refused = await refusal(limits, spends);
    expect(refused).toMatchObject({ retryAfterSec: 86_400 });
    expect(JSON.stringify(refused?.headers)).not.toContain('address');
  });

  it('are shown when fewer than half of the points are left', async () => {
    const limits = start();
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push(isNear(await limits.take(ticket('s', 'ip'))));
    expect(answers).toEqual([false, false, true, true, true]);
    expect(isNear(await limits.take(ticket('other', 'ip')))).toBe(true);
    vi.advanceTimersByTime(3_600_000);
    expect(isNear(await limits.take(ticket('s', 'ip')))).toBe(false);
  });

  it('count short windows anew when they are over', async () => {
    const limits = start();
    const message: Spend[] = [{ policy: 'messages-session', key: 's' }];
    for (let n = 0; n < 20; n += 1) await limits.take(message);
    expect(await refusal(limits, message)).toMatchObject({ retryAfterSec: 60 });
    vi.advanceTimersByTime(60_000);
    expect(await left(limits, message)).toEqual([20]);
  });

  it('take nothing of several short windows when one of them is used up', async () => {
    const limits = start();
    const message = (session: string): Spend[] => [
      { policy: 'messages-session', key: session },
      { policy: 'identity-ip', key: 'ip' },
    ];
    const answers = await Promise.all(Array.from({ length: 25 }, () => refusal(limits, message('busy'))));
    expect(answers.filter((answer) => answer === null)).toHaveLength(20);
    expect(await left(limits, message('other'))).toEqual([20, 40]);
  });

  it('take the optional points that are free, and give back only what was taken', async () => {
    const limits = start();
    for (let n = 0; n < 3; n += 1) await limits.take(underAddress('victim'));
    for (let n = 0; n < 2; n += 1) {
      const { shown, usedUp } = await limits.takeFree(ticket('s', 'ip'), underAddress('victim'));
      expect(usedUp).toEqual([{ spend: underAddress('victim')[0], waitSec: 86_400 }]);
      expect(shown.map(({ remaining }) => remaining)).toEqual([4 - n, 9 - n]);
    }
    await limits.giveBack(underAddress('victim'));
    expect(await refusal(limits, underAddress('victim'))).toBeNull();
    expect(await refusal(limits, underAddress('victim'))).not.toBeNull();
  });

  it('take no optional points for a request that is refused', async () => {
    const limits = start();
    for (let n = 0; n < 5; n += 1) await limits.take(ticket('s', 'ip'));
    for (let n = 0; n < 5; n += 1)
      await expect(limits.takeFree(ticket('s', 'ip'), underAddress('a'))).rejects.toMatchObject({
        code: 'rate_limited',
        retryAfterSec: 3_600,
      });
    for (let n = 0; n < 3; n += 1) expect(await refusal(limits, underAddress('a'))).toBeNull();
  });

  it('refuse nobody because of a request refused at the same moment', async () => {
    const limits = start();
    const asked = [...Array<string>(15).fill('busy'), ...Array<string>(5).fill('other')];
    const answers = await Promise.all(asked.map((session) => refusal(limits, ticket(session, 'ip'))));
    expect(answers.flatMap((answer, n) => (answer ? [] : asked[n]))).toEqual([
      ...Array<string>(5).fill('busy'),
      ...Array<string>(5).fill('other'),
    ]);
  });

  it('count nothing for points that were given back', async () => {
    const limits = start();
    for (let n = 0; n < 20; n += 1) {
      await limits.take(ticket('s', 'ip'));
      await limits.giveBack(ticket('s', 'ip'));
    }
    expect(await left(limits, ticket('s', 'ip'))).toEqual([5, 10]);
  });

  it('survive a restart where the window is long, and keep no address or id in the clear', async () => {
    const file = join(dir, 'kept.db');
    const before = start(file);
    for (let n = 0; n < 3; n += 1)
      await before.take([...ticket('session-7', '203.0.113.7'), ...underAddress('hash-7')]);
    open.pop()?.close();
    const written = readFileSync(file).toString('latin1');
    expect(written).toContain('tickets-ip:');
    expect(written).not.toMatch(/203\.0\.113|session-7|hash-7/);
    const after = start(file);
    expect(await refusal(after, underAddress('hash-7'))).not.toBeNull();
    expect(await left(after, ticket('session-7', '203.0.113.7'))).toEqual([2, 7]);
  });

  it('delete expired counts when they start', async () => {
    const file = join(dir, 'old.db');
    await start(file).take(underAddress('hash'));
    open.pop()?.close();
    vi.advanceTimersByTime(86_400_001);
    await start(file).take(ticket('s', 'ip'));
    const db = new Database(file, { readonly: true });
    const ofAddresses = () => db.prepare("SELECT key FROM limits WHERE key LIKE 'tickets-address%'").all();
    await expect.poll(ofAddresses).toEqual([]);
    db.close();
  });

  it('count in memory, and report it, while the file cannot be written', async () => {
    const file = join(dir, 'locked.db');
    const limits = start(file);
    const other = new Database(file);
    other.exec('DROP TABLE limits');
    const answers = [];
    for (let n = 0; n < 8; n += 1) answers.push((await refusal(limits, ticket('s', 'ip')))?.code ?? 'taken');
    expect(answers).toEqual([...Array<string>(5).fill('taken'), ...Array<string>(3).fill('rate_limited')]);
    expect(errors.length).toBeGreaterThan(0);
    other.close();
  });

  it('hold while another program locks the file, and afterwards with the counts from before [overload-39]', async () => {
    const file = join(dir, 'locked-later.db');
    const limits = start(file);
    for (let n = 0; n < 2; n += 1) await limits.take(ticket('s', 'ip'));
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    // Counts in memory begin anew.
    for (let n = 0; n < 5; n += 1) await limits.take(ticket('s', 'ip'));
    expect(await refusal(limits, ticket('s', 'ip'))).toMatchObject({ code: 'rate_limited' });
    other.exec('COMMIT').close();
    expect(await left(limits, ticket('s', 'ip'))).toEqual([3, 8]);
    expect(errors.every((error) => (error as { code: string }).code === 'SQLITE_BUSY')).toBe(true);
  });

  it('refuse to start on a file that is something else', () => {
    const file = join(dir, 'something-else.db');
    writeFileSync(file, 'this is no database '.repeat(100));
    expect(() => start(file)).toThrow(/cannot open .*something-else\.db.*counters only/);
  });

  it('are reported in the RateLimit header fields', async () => {
    const limits = start();
    const expected = {
      'RateLimit-Policy': '"tickets-session";q=5;w=3600, "tickets-ip";q=10;w=3600',
      RateLimit: '"tickets-session";r=4;t=3600, "tickets-ip";r=9;t=3600',
    };
    expect(limitHeaders(await limits.take(ticket('s', 'ip')))).toEqual(expected);
    for (let n = 0; n < 4; n += 1) await limits.take(ticket('s', 'ip'));
    expect((await refusal(limits, ticket('s', 'ip')))?.headers).toEqual({
      ...expected,
      RateLimit: '"tickets-session";r=0;t=3600, "tickets-ip";r=5;t=3600',
    });
    expect(limitHeaders([])).toEqual({});
  });
});

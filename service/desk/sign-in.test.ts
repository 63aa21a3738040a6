import { describe, expect, it } from 'vitest';
import { createAgent } from '../agents/agents.ts';
import { hashPassword } from '../agents/passwords.ts';
import type { Deps } from '../deps.ts';
import { createTestService } from '../test-service.ts';

/** A hash contains its own cost: this one is checked quickly. */
const quick = { N: 16, r: 8, p: 1 };
const right = 'tea-time-4';
const proxy = '10.0.0.9';

/** A service with one agent. Its clock does not advance until the test advances it. */
async function withAgent(overrides: Partial<Deps> = {}) {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z') };
  const service = createTestService({ now: () => new Date(clock.ms), ...overrides });
  const agent = { email: 'Agent@example.com', passwordHash: await hashPassword(right, quick) };
  createAgent(service.db, service.workspace.id, agent, new Date(clock.ms));
  const origin = overrides.publicUrl ?? 'http://desk.example.com';

  /** A browser at this address (behind `proxy`, when one is trusted): keeps its cookies over sign-ins and sign-outs. */
  function browser(address: string) {
    const cookies = new Map<string, string>();
    const send = async (path: string, fields: Record<string, string>) => {
      const response = await service.app.request(
        `/desk${path}`,
        {
          method: 'POST',
          headers: {
            origin,
            'content-type': 'application/x-www-form-urlencoded',
            'x-forwarded-for': address,
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          },
          body: new URLSearchParams(fields).toString(),
        },
        { incoming: { socket: { remoteAddress: overrides.trustedProxies ? proxy : address } } },
      );
      for (const each of response.headers.getSetCookie()) {
        const [name = '', value = ''] = each.split(';')[0]!.split('=');
        if (value) cookies.set(name, value);
        else cookies.delete(name);
      }
      return response;
    };
    return {
      cookies,
      signIn: (password: string, email = 'agent@example.com') => send('/sign-in', { email, password }),
      signOut: () => send('/sign-out', {}),
    };
  }
  const statusOf = async (answer: Promise<Response>) => (await answer).status;
  return { ...service, clock, browser, statusOf };
}

describe('sign-in', () => {
  it('opens the desk with a cookie that scripts and other sites cannot use, and sign-out ends it', async () => {
    const { app, browser } = await withAgent();
    const own = browser('203.0.113.1');
    const response = await own.signIn(right, 'agent@EXAMPLE.com');
    expect([response.status, response.headers.get('location')]).toStrictEqual([303, '/desk']);
    for (const cookie of response.headers.getSetCookie()) {
      expect(cookie).toMatch(/HttpOnly/);
      expect(cookie).toMatch(/SameSite=Lax/);
      expect(cookie).not.toMatch(/Secure/);
    }
    const cookie = `deskside_desk=${own.cookies.get('deskside_desk')}`;
    const seesList = async () => (await app.request('/desk', { headers: { cookie } })).status === 200;
    expect(await seesList()).toBe(true);
    await own.signOut();
    expect(await seesList()).toBe(false);
  });

  it('marks its cookies Secure where the public address is https', async () => {
    const { browser } = await withAgent({ publicUrl: 'https://desk.example.com' });
    const cookies = (await browser('203.0.113.1').signIn(right)).headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/Secure/);
  });

  it('answers the same to a wrong password and an unknown address', async () => {
    const { browser } = await withAgent();
    const wrong = await browser('203.0.113.1').signIn('nope');
    const unknown = await browser('203.0.113.1').signIn('nope', 'somebody@example.com');
    expect([wrong.status, unknown.status]).toStrictEqual([401, 401]);
    const text = (await wrong.text()).replaceAll('agent@', 'somebody@');
    expect(await unknown.text()).toBe(text);
  });
});

describe('wrong sign-ins', () => {
  it('are allowed five times, even at once, and each further attempt waits twice as long', async () => {
    const { browser, clock, statusOf } = await withAgent();
    const own = browser('203.0.113.1');
    const guesses = await Promise.all(Array.from({ length: 11 }, () => statusOf(own.signIn('nope'))));
    expect(guesses.filter((status) => status === 401)).toHaveLength(5);
    const waits = [];
    for (let n = 0; n < 10; n += 1) {
      const refused = await own.signIn(right);
      expect(refused.status).toBe(429);
      const waitSec = Number(refused.headers.get('retry-after'));
      waits.push(waitSec);
      clock.ms += 1_000 * waitSec;
      expect(await statusOf(own.signIn('nope'))).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    clock.ms += 300_000;
    expect(await statusOf(own.signIn(right))).toBe(303);
  });

  it('by one client behind the proxy do not delay other clients behind it', async () => {
    const { browser, statusOf } = await withAgent({ trustedProxies: 1 });
    const stranger = browser('198.51.100.1');
    for (let n = 0; n < 11; n += 1) await stranger.signIn('nope');
    expect(await statusOf(stranger.signIn(right))).toBe(429);
    expect(await statusOf(browser('203.0.113.1').signIn(right))).toBe(303);
  });

  it('by strangers never delay a browser that the agent has used, even from the same address', async () => {
    const { browser, statusOf } = await withAgent();
    const own = browser('203.0.113.1');
    await own.signIn(right);
    await own.signOut();
    for (let n = 0; n < 200; n += 1) await browser('203.0.113.1').signIn('nope');
    for (let n = 0; n < 200; n += 1) await browser(`198.51.100.${n}`).signIn('nope');
    expect(await statusOf(browser('203.0.113.1').signIn(right))).toBe(429);
    expect(await statusOf(own.signIn(right))).toBe(303);
  });

  it('by strangers at many addresses delay a new browser of the agent by ten seconds at most', async () => {
    const { browser, clock, statusOf } = await withAgent();
    for (let n = 0; n < 250; n += 1) {
      await browser(`198.51.100.${n}`).signIn('nope');
      clock.ms += 5_000;
    }
    const own = browser('203.0.113.1');
    const refused = await own.signIn(right);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    clock.ms += 10_000;
    expect(await statusOf(own.signIn(right))).toBe(303);
  });

  it('are still delayed with the cookie of another agent’s browser, or with a forged one', async () => {
    const { browser, db, workspace, statusOf } = await withAgent();
    const other = { email: 'other@example.com', passwordHash: await hashPassword('other-tea-4', quick) };
    createAgent(db, workspace.id, other, new Date());
    const insider = browser('198.51.100.1');
    await insider.signIn('other-tea-4', other.email);
    await insider.signOut();
    const mark = insider.cookies.get('deskside_desk_known')!;
    const forged = [mark, `${mark.split('.')[0]}.`, mark.replace(/.$/, ''), '.', 'x.y', ''];
    const answers = [];
    for (const each of forged) {
      insider.cookies.set('deskside_desk_known', each);
      answers.push(await statusOf(insider.signIn('nope')));
    }
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

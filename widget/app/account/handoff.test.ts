import { describe, expect, it, vi } from 'vitest';
import type { Handoff } from '../../../shared/contract/session.ts';
import { type AnyApi, aSession, fakeModels, http, offline, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';

const offer: Handoff = {
  state: 'offered',
  number: null,
  expires_at: '2026-11-21T12:10:00Z',
  url: 'https://models.example/#handoff=s3cret',
  qr: ['10', '01'],
};

async function offering(calls: Partial<AnyApi> = {}) {
  const offered = vi.fn<AnyApi['offered']>(() => ok({ ...offer, url: undefined as never }));
  const withdraw = vi.fn<AnyApi['withdraw']>(() => ok(null));
  const fake = fakeModels({
    calls: { offer: () => ok(offer), offered, withdraw, confirm: () => ok(null), ...calls },
  });
  fake.models.view.go({ name: 'handoff' });
  await settle();
  return { ...fake, offered, withdraw, ...fake.accountOf() };
}

describe('the device that has the tickets', () => {
  it('shows the link, and polls every two seconds for a request', async () => {
    const { handoff, offered, clock } = await offering();
    expect(handoff.step.value).toMatchObject({ name: 'offered', qr: offer.qr });
    const before = offered.mock.calls.length;
    offered.mockImplementation(() => ok({ state: 'asked', number: '42', expires_at: offer.expires_at }));
    await clock.advance(2_000);
    expect(offered).toHaveBeenCalledTimes(before + 1);
    expect(handoff.step.value).toMatchObject({ name: 'asked', number: '42' });
  });

  it('shows when it is done, and then neither polls nor withdraws', async () => {
    const { handoff, offered, withdraw, clock, models } = await offering();
    await handoff.confirm();
    expect(handoff.step.value?.name).toBe('given');
    const before = offered.mock.calls.length;
    await clock.advance(10_000);
    expect(offered).toHaveBeenCalledTimes(before);
    models.view.go({ name: 'start' });
    await settle();
    expect(withdraw).not.toHaveBeenCalled();
  });

  it('withdraws an offer that came after the view was left', async () => {
    let answer = (_: Awaited<ReturnType<AnyApi['offer']>>) => {};
    const late = new Promise<Awaited<ReturnType<AnyApi['offer']>>>((resolve) => (answer = resolve));
    const withdraw = vi.fn<AnyApi['withdraw']>(() => ok(null));
    const { models, accountOf } = fakeModels({ calls: { offer: () => late, withdraw } });
    models.view.go({ name: 'handoff' });
    await settle();
    models.view.go({ name: 'start' });
    await settle();
    answer(await ok(offer));
    await settle();
    expect(withdraw).toHaveBeenCalledOnce();
    expect(accountOf().handoff.step.value).toBeNull();
  });

  it('shows an offer that came after the view was left and opened again', async () => {
    let answer = (_: Awaited<ReturnType<AnyApi['offer']>>) => {};
    const late = new Promise<Awaited<ReturnType<AnyApi['offer']>>>((resolve) => (answer = resolve));
    const calls = { offer: () => late, offered: () => ok(offer) };
    const { models, accountOf } = fakeModels({ calls });
    for (const name of ['handoff', 'start', 'handoff'] as const) {
      models.view.go({ name });
      await settle();
    }
    answer(await ok(offer));
    await settle();
    expect(accountOf().handoff.step.value).toMatchObject({ name: 'offered', url: offer.url });
  });

  it('withdraws the offer on leaving the view', async () => {
    const { handoff, withdraw, models, offered, clock } = await offering();
    models.view.go({ name: 'start' });
    await settle();
    expect(withdraw).toHaveBeenCalledOnce();
    expect(handoff.step.value).toBeNull();
    const before = offered.mock.calls.length;
    await clock.advance(10_000);
    expect(offered).toHaveBeenCalledTimes(before);
  });

  it('does not poll while off screen, and shows when the link has expired', async () => {
    const { handoff, offered, models, clock } = await offering();
    models.setVisible(false);
    const before = offered.mock.calls.length;
    await clock.advance(2_000);
    await clock.advance(2_000);
    expect(offered).toHaveBeenCalledTimes(before);
    models.setVisible(true);
    offered.mockImplementation(async () => http('not_found'));
    await clock.advance(2_000);
    expect(handoff.step.value).toEqual({ name: 'over' });
  });

  it('keeps the offer when the network fails', async () => {
    const { handoff, offered, clock } = await offering();
    offered.mockImplementation(async () => offline);
    await clock.advance(2_000);
    expect(handoff.step.value?.name).toBe('offered');
  });
});

describe('the device that opened the link', () => {
  async function opened(redeem: AnyApi['redeem']) {
    const fake = fakeModels({ calls: { redeem } });
    fake.models.view.go({ name: 'handoff', secret: 's3cret' });
    await settle();
    return { ...fake, ...fake.accountOf() };
  }

  it('makes no request before the customer agrees', async () => {
    const redeem = vi.fn<AnyApi['redeem']>(async () => offline);
    const { handoff, clock } = await opened(redeem);
    await clock.advance(10_000);
    expect(handoff.step.value?.name).toBe('found');
    expect(redeem).not.toHaveBeenCalled();
  });

  it('shows the number until the other device has agreed, then the tickets', async () => {
    const redeem = vi.fn<AnyApi['redeem']>(() => ok({ state: 'asked', number: '42' }));
    const { handoff, clock, models, isStreaming } = await opened(redeem);
    handoff.redeem();
    await settle();
    expect(handoff.step.value).toEqual({ name: 'waiting', number: '42' });
    redeem.mockImplementation(() => ok({ state: 'done', session: aSession() }));
    await clock.advance(2_000);
    expect(redeem.mock.calls.map(([answer]) => answer)).toEqual([
      { secret: 's3cret', device: 'key-1' },
      { secret: 's3cret', device: 'key-1' },
    ]);
    expect(models.view.current.value.name).toBe('start');
    expect(isStreaming()).toBe(true);
    await clock.advance(10_000);
    expect(redeem).toHaveBeenCalledTimes(2);
  });

  it('shows when the link has expired', async () => {
    const { handoff } = await opened(async () => http('not_found'));
    handoff.redeem();
    await settle();
    expect(handoff.step.value).toEqual({ name: 'over' });
  });

  it('asks for the address when the link has expired and codes are offered', async () => {
    const { handoff, models } = await opened(async () => http('not_found'));
    models.session.put({ ...aSession(false), email_code: true });
    handoff.redeem();
    await settle();
    expect(models.view.current.value).toEqual({ name: 'find', isOver: true });
  });
});

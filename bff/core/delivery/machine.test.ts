import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationStates } from '../../../shared/contract/tickets.ts';
import { type SendEvent, type SendStatus, transition } from './machine.ts';

const minuteMs = 60_000;
const timing = { now: 1_000_000_000, settleMs: 10 * minuteMs, random: 0 };
const absent = { type: 'absent', proves: true, ageMs: 10 * minuteMs } as const;
const standing = (more: Partial<SendStatus>): SendStatus => ({
  state: 'sending',
  attempts: 1,
  created_at: timing.now - 1000,
  attempt_age_ms: 1000,
  ...more,
});

describe('a send', () => {
  it('is done once the service has confirmed it', () => {
    expect(transition(standing({}), { type: 'found' }, timing)).toEqual({
      state: 'done',
      due_at: null,
      error: null,
    });
  });

  it.each(['not_connected', 'unauthorized'] as const)(
    'is tried again after %s, since nothing was executed',
    (kind) => {
      const next = transition(standing({}), { type: 'failed', failure: { kind } }, timing);
      expect(next?.state).toBe('accepted');
      expect(next?.due_at).toBeGreaterThan(timing.now);
    },
  );

  it('waits as long as a rate limit asks', () => {
    const failure = { kind: 'rate_limited', retryAfterMs: 30_000 } as const;
    expect(transition(standing({}), { type: 'failed', failure }, timing)?.due_at).toBe(timing.now + 30_000);
  });

  it('waits for the decision of its customer after an answer to another request', () => {
    expect(transition(standing({}), { type: 'unrelated' }, timing)).toEqual({
      state: 'unknown',
      due_at: null,
      error: null,
    });
  });

  it('stops trying by itself after 72 hours', () => {
    const old = standing({ created_at: timing.now - 73 * 60 * minuteMs });
    const next = transition(old, { type: 'failed', failure: { kind: 'not_connected' } }, timing);
    expect(next).toEqual({ state: 'accepted', due_at: null, error: null });
  });

  it.each([
    [409, 'conversation_merged'],
    [404, 'not_found'],
    [400, 'invalid_request'],
    [422, 'invalid_request'],
  ] as const)('is rejected for good by a %i', (status, error) => {
    const next = transition(standing({}), { type: 'failed', failure: { kind: 'refused', status } }, timing);
    expect(next).toEqual({ state: 'rejected', due_at: null, error });
  });

  it('in doubt is looked up, and never sent at once [delivery-11]', () => {
    const failure = { kind: 'uncertain', reason: 'reset' } as const;
    expect(transition(standing({}), { type: 'failed', failure }, timing)?.state).toBe('unknown');
    expect(transition(standing({}), { type: 'abandoned' }, timing)?.state).toBe('unknown');
  });

  it('is sent again only when it was shown absent after the settle time [delivery-10]', () => {
    const young = standing({ state: 'unknown', attempt_age_ms: 9 * minuteMs });
    const old = standing({ state: 'unknown', attempt_age_ms: 10 * minuteMs });
    expect(transition(young, { ...absent, ageMs: 9 * minuteMs }, timing)).toMatchObject({
      state: 'unknown',
      due_at: timing.now + minuteMs,
    });
    expect(transition(old, absent, timing)?.state).toBe('accepted');
    expect(transition(old, { ...absent, proves: false }, timing)).toEqual({
      state: 'unknown',
      due_at: null,
      error: null,
    });
    expect(transition(old, { type: 'unreadable' }, timing)?.due_at).toBeGreaterThan(timing.now);
  });

  it('is looked up at once, not sent again, when it was shown absent before the settle time and recorded after it', () => {
    const old = standing({ state: 'unknown', attempt_age_ms: 11 * minuteMs });
    expect(transition(old, { ...absent, ageMs: minuteMs }, timing)).toMatchObject({
      state: 'unknown',
      due_at: timing.now,
    });
  });

  it('is looked up again soon while nothing can be read, however long that lasts', () => {
    const from = standing({ state: 'unknown', attempt_age_ms: 60 * minuteMs });
    const next = transition(from, { type: 'unreadable' }, timing);
    expect(next).toEqual({ state: 'unknown', due_at: timing.now + 20_000, error: null });
  });

  it('without a grant for its ticket is refused', () => {
    expect(transition(standing({ state: 'accepted' }), { type: 'revoked' }, timing)).toEqual({
      state: 'rejected',
      due_at: null,
      error: 'not_found',
    });
  });

  it('is sent again when the customer asks for it', () => {
    expect(transition(standing({ state: 'unknown' }), { type: 'retry' }, timing)?.state).toBe('accepted');
  });

  it.each(['accepted', 'unknown'] as const)('that is %s can be given up by the operator', (state) => {
    const event = { type: 'given_up', reason: 'invalid_request' } as const;
    const next = transition(standing({ state }), event, timing);
    expect(next).toEqual({ state: 'rejected', due_at: null, error: 'invalid_request' });
  });

  it('that is being sent cannot be given up', () => {
    expect(transition(standing({}), { type: 'given_up', reason: 'invalid_request' }, timing)).toBeNull();
  });

  it('never leaves a final state [delivery-8]', () => {
    const events: SendEvent[] = [
      { type: 'begin' },
      { type: 'abandoned' },
      { type: 'unrelated' },
      { type: 'found' },
      absent,
      { type: 'retry' },
      { type: 'given_up', reason: 'invalid_request' },
    ];
    for (const state of ['done', 'rejected'] as const)
      for (const event of events) expect(transition(standing({ state }), event, timing)).toBeNull();
  });

  it('reaches sending only from accepted, whatever happens [delivery-7]', () => {
    const anyEvent = fc.constantFrom<SendEvent>(
      { type: 'begin' },
      { type: 'failed', failure: { kind: 'uncertain', reason: 'x' } },
      { type: 'failed', failure: { kind: 'not_connected' } },
      { type: 'abandoned' },
      { type: 'unrelated' },
      { type: 'found' },
      absent,
      { type: 'unreadable' },
      { type: 'retry' },
      { type: 'given_up', reason: 'invalid_request' },
    );
    fc.assert(
      fc.property(fc.constantFrom(...operationStates), anyEvent, (state, event) => {
        const next = transition(standing({ state }), event, timing);
        return next?.state !== 'sending' || state === 'accepted';
      }),
    );
  });
});

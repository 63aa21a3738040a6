import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { until } from '../../testing/streams.ts';
import { type Notifying, startNotifying, mailsOf } from './testing/notices.ts';

const hookSecret = 'a secret for webhooks';

let on: Notifying;
beforeEach(async () => {
  on = await startNotifying({ webhookSecrets: [hookSecret] });
});
afterEach(() => on.stop());

const minuteMs = 60_000;

describe('a ticket that no open page shows', () => {
  const readsOf = (id: string) => on.bff.service.calls.filter(({ path }) => path.endsWith(id)).length;
  const looks = async (ms: number) => {
    on.passes(ms);
    await on.pass();
    await mailsOf(on.bff).settled!();
  };

  it('is read after a minute, and its answer is mailed', async () => {
    const id = await on.opened();
    on.bff.service.addMessage(id, 'agent', 'Here');
    await looks(minuteMs);
    await on.wait();
    expect(on.mail.mails).toHaveLength(1);
  });

  it('is read again when a service that reads from a copy of its data does not know it yet', async () => {
    const id = await on.opened();
    on.bff.service.answer = () => ({ statusCode: 404, data: '{}' });
    await looks(minuteMs);
    on.bff.service.answer = undefined;
    on.bff.service.addMessage(id, 'agent', 'Here');
    await looks(6 * minuteMs);
    await on.wait();
    expect(on.mail.mails).toHaveLength(1);
  });

  it('is read less and less often, at least every hour, and not after 14 days', async () => {
    const id = await on.opened();
    await looks(minuteMs);
    const early = readsOf(id);
    for (let minute = 0; minute < 10; minute += 1) await looks(minuteMs);
    expect(readsOf(id) - early).toBeGreaterThan(7);
    on.passes(24 * 60 * minuteMs);
    await looks(0);
    const late = readsOf(id);
    for (let minute = 0; minute < 59; minute += 10) await looks(10 * minuteMs);
    expect(readsOf(id) - late).toBe(1);
    on.passes(14 * 24 * 60 * minuteMs);
    await looks(0);
    const end = readsOf(id);
    for (let hour = 0; hour < 3; hour += 1) await looks(60 * minuteMs);
    expect(readsOf(id)).toBe(end);
  });

  it('is read at once when a webhook names it', async () => {
    const id = await on.opened();
    on.passes(24 * 60 * minuteMs);
    await looks(0);
    const before = readsOf(id);
    const hook = `${paths.hooks}/${hookSecret}`;
    const told = await on.bff.app.request(hook, { method: 'POST', body: JSON.stringify({ ticket: { id } }) });
    expect(told.status).toBe(204);
    await until(async () => {
      const row = await on.bff.store.selectFrom('notices').select('look_at').executeTakeFirstOrThrow();
      expect(row.look_at).toBeLessThanOrEqual(on.bff.now());
    });
    await looks(0);
    expect(readsOf(id)).toBe(before + 1);
  });

  it('is read when the list of the newest tickets shows that it has changed', async () => {
    const id = await on.opened();
    on.passes(24 * 60 * minuteMs);
    await looks(0);
    await looks(minuteMs);
    on.bff.service.addMessage(id, 'agent', 'Here');
    on.bff.service.tickets.get(id)!['updated_at'] = new Date(on.bff.service.now()).toISOString();
    const before = readsOf(id);
    await looks(minuteMs);
    await looks(0);
    expect(readsOf(id)).toBe(before + 1);
  });

  it('is read again from its customer’s next message on', async () => {
    const browser = on.bff.browser();
    const id = await on.opened(browser);
    on.passes(20 * 24 * 60 * minuteMs);
    await looks(0);
    await browser.post(paths.messages(id), { body: 'And now?' });
    await until(async () => {
      const row = await on.bff.store.selectFrom('notices').select('look_at').executeTakeFirstOrThrow();
      expect(row.look_at).not.toBeNull();
    });
    const before = readsOf(id);
    await looks(minuteMs);
    expect(readsOf(id)).toBe(before + 1);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../../../service/test-service.ts';
import type { OperationState } from '../../../shared/contract/tickets.ts';
import { ticketBody } from '../../testing/browser.ts';
import { serveApp, startChecked, stopServing } from '../../testing/operator/checks.ts';
import { addFooter } from '../../core/tickets/footer.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';

let service: TestService;
let checked: Awaited<ReturnType<typeof startChecked>>;

beforeEach(async () => {
  service = createTestService();
  checked = await startChecked({ url: await serveApp(service.app), key: service.workspace.key });
  // Accepted operations stay accepted.
  await checked.bff.worker.stop();
});
afterEach(async () => {
  await stopServing();
  await checked.bff.stop();
  service.db.close();
});

const run = (...args: string[]) => runTestCommand(['operations', ...args], checked.env);
const rows = () => checked.bff.store.selectFrom('operations').selectAll().orderBy('seq').execute();
const stateOf = async (id: string) => (await rows()).find((row) => row.id === id)!.state;

/** An operation from an earlier day. */
async function operation(state: OperationState, dueAt: number | null) {
  await checked.bff.browser().openTicket();
  const { id } = (await rows()).at(-1)!;
  const attempt =
    state === 'unknown' ? { started_at: Date.now() - 3_600_000, attempt_age_ms: 3_600_000 } : {};
  await checked.bff.store
    .updateTable('operations')
    .set({ state, due_at: dueAt, with_ref: 1, ...attempt })
    .where('id', '=', id)
    .execute();
  return (await rows()).at(-1)!;
}

/** Adds the ticket to the service, as if only the answer was lost. */
const deliver = (ref: string) =>
  service.createTicket({
    ...ticketBody,
    description: addFooter(ticketBody.description, { isVerified: false, pageUrl: undefined, ref }),
  });

describe('operations list', () => {
  it('shows what is not done, or one state, without text, contact and key', async () => {
    const waiting = await operation('accepted', Date.now());
    const undecided = await operation('unknown', null);
    const done = await operation('done', null);
    const { code, stdout } = await run('list', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { id: waiting.id, state: 'accepted', undecided: false, kind: 'ticket', attempts: 0 },
      { id: undecided.id, state: 'unknown', undecided: true },
    ]);
    for (const text of [ticketBody.subject, ticketBody.customer_email, waiting.key])
      expect(stdout).not.toContain(text);
    expect((await run('list', '--state', 'done')).stdout).toMatch(
      new RegExp(`^${done.id}  ticket   done .*\n$`),
    );
    expect((await run('list', '--state', 'undecided')).stdout).toContain(
      `${undecided.id}  ticket   unknown, undecided`,
    );
    expect((await run('list', '--state', 'rejected')).stdout).toBe('there are none\n');
  });

  it('with a state that does not exist is refused', async () => {
    const { code, stderr } = await run('list', '--state', 'lost');
    expect([code, stderr]).toEqual([2, expect.stringContaining('accepted, sending, unknown')]);
  });
});

describe('operations show', () => {
  it('finds a send by its id and by its ref', async () => {
    const row = await operation('accepted', Date.now());
    for (const name of [row.id, row.ref]) {
      const { code, stdout } = await run('show', name);
      expect([code, stdout]).toEqual([0, expect.stringContaining(row.id)]);
      expect(stdout).not.toContain(row.key);
    }
  });

  it('of an unknown send ends with 1', async () => {
    expect(await run('show', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing'),
    });
  });
});

describe('operations retry', () => {
  it('of an undecided send that the service does not have makes it due now', async () => {
    const row = await operation('unknown', null);
    expect((await run('retry', row.id)).code).toBe(0);
    expect((await rows())[0]).toMatchObject({ state: 'accepted', due_at: expect.any(Number) });
  });

  it('of a send that the service has records that it is done', async () => {
    const row = await operation('unknown', null);
    await deliver(row.ref);
    expect(await run('retry', row.id)).toMatchObject({ code: 0, stdout: expect.stringContaining('is done') });
    expect(await stateOf(row.id)).toBe('done');
  });

  it('while the service cannot be read changes nothing and ends with 1', async () => {
    const row = await operation('unknown', null);
    checked.env['SUPPORT_API_URL'] = 'http://127.0.0.1:1';
    const { code, stderr } = await run('retry', row.id);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the ticket service cannot be read')]);
    expect(await rows()).toEqual([row]);
  });

  it.each(['rejected', 'done', 'sending'] as const)(
    'of a send that is %s changes nothing and ends with 1',
    async (state) => {
      const row = await operation(state, null);
      expect((await run('retry', row.id)).code).toBe(1);
      expect(await rows()).toEqual([row]);
    },
  );
});

describe('operations give-up', () => {
  it('of a waiting send rejects it with the reason', async () => {
    const row = await operation('accepted', Date.now());
    expect((await run('give-up', row.id, '--reason', 'payload_too_large')).code).toBe(0);
    expect((await rows())[0]).toMatchObject({ state: 'rejected', error: 'payload_too_large', due_at: null });
  });

  it('of a send that the service has records that it is done', async () => {
    const row = await operation('unknown', null);
    await deliver(row.ref);
    expect((await run('give-up', row.id, '--reason', 'invalid_request')).code).toBe(0);
    expect(await stateOf(row.id)).toBe('done');
  });

  it('of a send in progress changes nothing and ends with 1', async () => {
    const row = await operation('sending', null);
    expect((await run('give-up', row.id, '--reason', 'invalid_request')).code).toBe(1);
    expect(await rows()).toEqual([row]);
  });

  it('without a reason is refused', async () => {
    expect((await run('give-up', 'some')).code).toBe(2);
  });
});

it('operations commands under another secret key are refused', async () => {
  await operation('accepted', Date.now());
  const env = { ...checked.env, SECRET_KEY: 'another one, just as long as it must be' };
  const { code, stderr } = await runTestCommand(['operations', 'list'], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining('another SECRET_KEY')]);
});

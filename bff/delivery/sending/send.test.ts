import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { paths } from '../../contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { until } from '../../testing/streams.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

it('a ticket that is answered with the ticket of another request is in doubt, and found under its own id [isolation-44]', async () => {
  const { messages, customer, ...foreign } = bff.service.addTicket({
    description: 'I moved to 5 Mill Lane.\n\nDeskside: e-mail not verified · ref DS-0123456789AB',
  });
  let ownId = '';
  bff.service.answer = ({ method, body }) => {
    if (method !== 'POST') return undefined;
    ownId = bff.service.addTicket({ ...body }).id;
    return { statusCode: 201, data: JSON.stringify({ data: foreign }) };
  };
  const ada = bff.browser();
  const key = randomUUID();
  await ada.openTicket({}, key);
  await until(async () =>
    expect((await ada.get(paths.operation(key))).data).toMatchObject({ state: 'done', ticket_id: ownId }),
  );
  expect((await ada.get(paths.tickets)).data.map(({ id }: { id: string }) => id)).toEqual([ownId]);
  expect((await ada.get(paths.ticket(foreign.id))).status).toBe(404);
  expect(bff.service.writes()).toHaveLength(1);
});

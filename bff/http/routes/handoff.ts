import { Hono } from 'hono';
import type { HandoffUseCases } from '../../use-cases/handoff.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import { handoffAnswerSchema, handoffConfirmationSchema, readBody } from '../validate.ts';

export function handoffRoutes(handoff: HandoffUseCases) {
  return new Hono<AppEnv>()
    .post('/', async (c) => answer(c, await handoff.offer(c.get('visitor')), { status: 201 }))

    .get('/', async (c) => answer(c, await handoff.offered(c.get('visitor'))))

    .delete('/', async (c) => {
      await handoff.withdraw(c.get('visitor'));
      return answer(c, null);
    })

    .post('/confirm', async (c) => {
      const { number } = await readBody(c, handoffConfirmationSchema);
      await handoff.confirm(c.get('visitor'), number);
      return answer(c, null);
    })

    .post('/redeem', async (c) => {
      const { secret, device } = await readBody(c, handoffAnswerSchema);
      const { progress, issued } = await handoff.redeem(c.get('visitor'), secret, device);
      return answer(c, progress, { issued });
    });
}

import { Hono } from 'hono';
import type { HandOff } from '../../access/hand-off.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import { handoffAnswerSchema, handoffConfirmationSchema, readBody } from '../validate.ts';

export function handOffRoutes(handOff: HandOff) {
  return new Hono<AppEnv>()
    .post('/', async (c) => answer(c, await handOff.offer(c.get('visitor')), { status: 201 }))

    .get('/', async (c) => answer(c, await handOff.offered(c.get('visitor'))))

    .delete('/', async (c) => {
      await handOff.withdraw(c.get('visitor'));
      return answer(c, null);
    })

    .post('/confirm', async (c) => {
      const { number } = await readBody(c, handoffConfirmationSchema);
      await handOff.confirm(c.get('visitor'), number);
      return answer(c, null);
    })

    .post('/redeem', async (c) => {
      const { secret, device } = await readBody(c, handoffAnswerSchema);
      const { progress, issued } = await handOff.redeem(c.get('visitor'), secret, device);
      return answer(c, progress, { issued });
    });
}

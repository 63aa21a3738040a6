import { Hono } from 'hono';
import type { HandoffUseCases } from '../../use-cases/handoff.ts';
import { answer, clearSessionCookie } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import {
  handoffAnswerSchema,
  handoffConfirmationSchema,
  readBody,
  codeAnswerSchema,
  codeRequestSchema,
  identityProofSchema,
} from '../validate.ts';
import type { OwnData } from '../../use-cases/own-data.ts';
import type { SignIn } from '../../use-cases/sign-in.ts';

/* Who a visitor is: session, sign-in and handoff, and their devices and stored data. */

export function sessionRoutes(signIn: SignIn) {
  return new Hono<AppEnv>()
    .get('/', async (c) => answer(c, await signIn.view(c.get('visitor'))))

    .delete('/', async (c) => {
      const view = await signIn.signOut(c.get('visitor'));
      clearSessionCookie(c);
      return answer(c, view);
    })

    .post('/identity', async (c) => {
      const { token } = await readBody(c, identityProofSchema);
      const { view, issued } = await signIn.identify(c.get('visitor'), token);
      return answer(c, view, { issued });
    })

    .post('/code', async (c) => {
      const request = await readBody(c, codeRequestSchema);
      const issued = await signIn.sendCode(c.get('visitor'), request);
      return answer(c, { sent: true }, { issued });
    })

    .post('/code/verify', async (c) => {
      const { code } = await readBody(c, codeAnswerSchema);
      const { view, issued } = await signIn.verifyCode(c.get('visitor'), code);
      return answer(c, view, { issued });
    })

    .post('/claim', async (c) => answer(c, await signIn.claim(c.get('visitor'))))

    .delete('/moved', async (c) => answer(c, await signIn.dismissMoved(c.get('visitor'))))

    .post('/transfer', async (c) => answer(c, await signIn.acceptTransfer(c.get('visitor'))))
    .delete('/transfer', async (c) => answer(c, await signIn.declineTransfer(c.get('visitor'))));
}

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

/** The stored data of the asking customer. */
export function dataRoutes(ownData: OwnData) {
  return new Hono<AppEnv>()
    .get('/', async (c) => answer(c, await ownData.export(c.get('visitor'))))

    .delete('/', async (c) => {
      const view = await ownData.delete(c.get('visitor'));
      clearSessionCookie(c);
      return answer(c, view);
    });
}

/** The browsers that act for the asking customer. */
export function deviceRoutes(ownData: OwnData) {
  return new Hono<AppEnv>()
    .get('/', async (c) => answer(c, await ownData.devices(c.get('visitor'))))

    .delete('/', async (c) => {
      const view = await ownData.signOutEverywhere(c.get('visitor'));
      clearSessionCookie(c);
      return answer(c, view);
    });
}

import { Hono } from 'hono';
import type { SignIn } from '../../use-cases/sign-in.ts';
import { answer, clearSessionCookie } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import { codeAnswerSchema, codeRequestSchema, identityProofSchema, readBody } from '../validate.ts';

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

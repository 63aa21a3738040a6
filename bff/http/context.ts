import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { Session } from '../session/sessions.ts';

/** What the middleware put on a request. */
export interface Variables {
  requestId: string;
  log: Logger;
  /** The live session of the cookie; null without one. */
  session: Session | null;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

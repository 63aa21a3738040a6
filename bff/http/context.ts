import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { Visitor } from '../use-cases/visitor.ts';

/** What the middleware put on a request. */
export interface Variables {
  requestId: string;
  log: Logger;
  /** On `/api` only. */
  visitor: Visitor;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AppError } from '../errors.ts';
import type { Visitor } from '../use-cases/visitor.ts';

/** What the middleware put on a request. */
export interface Variables {
  requestId: string;
  /** What the request was answered with, for its line in the log. */
  failure: AppError | undefined;
  /** What the client is counted by, as `clientAddress` has it. */
  address: string;
  /** On `/api` only. */
  visitor: Visitor;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

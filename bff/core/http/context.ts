import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AppError } from '../errors.ts';
import type { Visitor } from '../use-cases/visitor.ts';

/** The values that middleware attaches to a request. */
export interface Variables {
  requestId: string;
  /** The error that the request was answered with, for its log line. */
  failure: AppError | undefined;
  /** The address that the client is counted by, from `clientAddress`. */
  address: string;
  /** The name of the session's cookie. On `/api` only, as the following. */
  sessionCookie: string;
  visitor: Visitor;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

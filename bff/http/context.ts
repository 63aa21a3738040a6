import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AppError } from '../errors.ts';
import type { Visitor } from '../use-cases/visitor.ts';

/** Headers by name. Each name has one spelling, because an answer would have both of two spellings. */
export type AnswerHeaders = Record<string, string>;

/** The values that middleware attaches to a request. */
export interface Variables {
  requestId: string;
  /**
   * The headers of the answer so far; a later one replaces an earlier one. Plain records, since Hono's `c.header` makes
   * a `Headers`, which takes longer than the rest of a file's answer.
   */
  headers: AnswerHeaders[];
  /** The error that the request was answered with, for its log line. */
  failure: AppError | undefined;
  /** The address that the client is counted by, from `clientAddress`. */
  address: string;
  /** On `/api` only. */
  visitor: Visitor;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { AppError } from '../errors.ts';
import type { Visitor } from '../use-cases/visitor.ts';

/**
 * Headers by name, with one value each, so at most one cookie is set. Spell each name the same everywhere: two spellings
 * would both be sent.
 */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** The values that middleware attaches to a request. */
export interface Variables {
  requestId: string;
  /**
   * The headers of whatever answer this request gets, an error included. A later one replaces an earlier one. The list
   * is begun by `observeRequests`. These are plain records, since Hono's `c.header` makes a `Headers`, which takes about
   * as long as the rest of a file's answer.
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

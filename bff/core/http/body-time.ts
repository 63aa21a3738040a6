import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/*
 * How long the body of a request may take to arrive. The server limits it for all requests, and a route may take the limit
 * away that has one of its own. It knows no route.
 */

type Incoming = Readable & { headers: IncomingHttpHeaders };
const limits = new WeakMap<Readable, NodeJS.Timeout>();

/** Ends the connection if the body has not arrived by then. */
export function limitBodyTime(incoming: Incoming, ms: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
  if (length === '0' && coding === undefined) return;
  // A client that leaves after an early answer ends neither its body nor this limit, which must not keep the process alive.
  const limit = setTimeout(() => incoming.destroy(), ms).unref();
  limits.set(incoming, limit);
  const clear = () => clearTimeout(limit);
  incoming.once('end', clear).once('close', clear);
}

/** The route itself limits the time of this body. Undefined: the request came over no network. */
export function liftBodyTime(incoming: Readable | undefined): void {
  if (incoming) clearTimeout(limits.get(incoming));
}

/** SECURITY: known words and numbers only: never an id, a path, an address, a token or a text of somebody. */
type Attributes = Record<string, string | number>;

export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
  /** A `traceparent` that came from outside. */
  link?: string | undefined;
  /** A key that was given to `remember`. */
  origin?: string;
}

export interface Span {
  /** Adds what is known when the work ends. `failure`: why it failed, in a known word. */
  describe(more: { name?: string; attributes?: Attributes; failure?: string | undefined }): void;
}

/** Records spans of work, and names the current one to others. Nothing that happens to a span reaches the work. */
export interface Tracer {
  /**
   * Runs `work` in a span: part of the trace of `origin`, or else of the span that it is called in, and the first of a
   * new trace when that span has ended. Then it is linked to `origin`. It is always linked to `link`, and never part of
   * that trace.
   * @throws what `work` throws
   */
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** Makes the current span the origin of what other code does later about `key`. */
  remember(key: string): void;
  /** The headers that pass the current trace on (W3C Trace Context). */
  headers(): Record<string, string>;
}

export interface Tracing {
  tracer: Tracer;
  /** Sends what is recorded; ends within three seconds, whatever the collector does. */
  stop(): Promise<void>;
}

const noSpan: Span = { describe() {} };
const noHeaders = {};

/** Records nothing. */
export const noTracer: Tracer = {
  span: (_, work) => work(noSpan),
  remember() {},
  headers: () => noHeaders,
};

/** SECURITY: known words and numbers only, never an id, a path, an address, a token or a text of a customer. */
type Attributes = Record<string, string | number>;

export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
  /** A `traceparent` from outside. */
  link?: string | undefined;
  /** A key that was passed to `remember`. */
  origin?: string;
}

export interface Span {
  /** Adds what is known when the work ends. `failure`: why it failed, as one of a few known words. */
  describe(more: { name?: string; attributes?: Attributes; failure?: string | undefined }): void;
}

/** Records spans of work, and gives other code the current one. A failing tracer never affects the work. */
export interface Tracer {
  /**
   * Runs `work` in a span. The span belongs to the trace of `origin`, or else to that of the calling span. If that
   * span has ended, the span begins a new trace and is linked to `origin`. It is always linked to `link`, and never
   * part of that trace.
   * @throws what `work` throws
   */
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>;
  /** Makes the current span the origin of later work about `key`. */
  remember(key: string): void;
  /** Headers that continue the current trace (W3C Trace Context). */
  headers(): Record<string, string>;
}

const noSpan: Span = { describe() {} };
const noHeaders = {};

/** Records nothing. A tracer that does takes its place in the copy that the core uses. */
export const noTracer: Tracer = {
  span: (_, work) => work(noSpan),
  remember() {},
  headers: () => noHeaders,
};

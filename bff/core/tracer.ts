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

/** Records nothing. */
export const noTracer: Tracer = {
  span: (_, work) => work(noSpan),
  remember() {},
  headers: () => noHeaders,
};

export interface SwitchableTracer extends Tracer {
  /** From now on, `other` records the spans. */
  use(other: Tracer): void;
}

/** Records nothing until `use` is called. */
export function createTracer(): SwitchableTracer {
  let current = noTracer;
  return {
    span: (start, work) => current.span(start, work),
    remember: (key) => current.remember(key),
    headers: () => current.headers(),
    use(other) {
      current = other;
    },
  };
}

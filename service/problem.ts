import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** An expected refusal: `app.ts` turns it into an answer of this status. The message may be read by anybody. */
export class Problem extends Error {
  override name = 'Problem' as const;
  readonly status: ContentfulStatusCode;
  /** The error of each named field. */
  readonly fields: Record<string, string> | undefined;

  constructor(status: ContentfulStatusCode, message: string, fields?: Record<string, string>) {
    super(message);
    this.status = status;
    this.fields = fields;
  }
}

import type { ErrorCode, FieldFault } from '../../shared/contract/errors.ts';

/** The request cannot be carried out; nothing was sent. */
export class Refused extends Error {
  readonly code: ErrorCode;
  readonly fields: Record<string, FieldFault>;
  constructor(code: ErrorCode, fields: Record<string, FieldFault> = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

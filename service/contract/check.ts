import type { Walk } from './walk.ts';

/**
 * `holds`: as documented. `broken`: not as documented. `silent`: the document does not say, so `detail` describes what the
 * service does. `unchecked`: cannot be seen from outside, or needs what `detail` names.
 */
export interface Outcome {
  kind: 'holds' | 'broken' | 'silent' | 'unchecked';
  detail: string;
}

/** One sentence of the document. `run` returns nothing when it holds and throws `Broken` (see `need.ts`) when not. */
export interface Check {
  /** Section of the v1 document. */
  section: string;
  rule: string;
  run: (walk: Walk) => Promise<Outcome | void>;
}

export interface Finding extends Outcome {
  section: string;
  rule: string;
}

/** The document leaves the status of an invalid body open; these are the ones that can mean it. */
export const isRefusal = ({ status }: { status: number }): boolean => [400, 413, 422].includes(status);

export const silent = (detail: string): Outcome => ({ kind: 'silent', detail });
export const unchecked = (detail: string): Outcome => ({ kind: 'unchecked', detail });

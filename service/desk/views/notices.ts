import { sentences, type Sentences } from '../sentences/sentences.ts';

/** The result of a form, by the name in the redirect after it. */
export type NoticeName = keyof Sentences['notices'];

/** The notice that a query parameter names, if any. */
export function readNotice(name: string | undefined): NoticeName | undefined {
  return name !== undefined && Object.hasOwn(sentences.notices, name) ? (name as NoticeName) : undefined;
}

import { sentences, type Sentences } from '../sentences/sentences.ts';

/** What a form did, by the name that the redirect after it carries. */
export type NoticeName = keyof Sentences['notices'];

/** The notice that a query parameter names, if any. */
export function readNotice(name: string | undefined): NoticeName | undefined {
  return name !== undefined && Object.hasOwn(sentences.notices, name) ? (name as NoticeName) : undefined;
}

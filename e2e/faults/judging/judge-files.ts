import { contentOf } from '../schedules/plan.ts';
import type { Sent } from '../customers/sent.ts';
import type { StoredTicket } from '../servers/service.ts';
import { splitFiles } from './file-lines.ts';

/** As they are after the day in which files without a message are removed. */
export interface FileEvidence {
  sent: readonly Sent[];
  stored: readonly StoredTicket[];
  /** What each link at the service gives. Null where it opens nothing. */
  opened: ReadonlyMap<string, string | null>;
  /** The contents of all files that the BFF keeps. */
  kept: readonly string[];
}

/** A content in a line of the report. */
const briefly = (text: string | null) => text?.split(' ')[0] ?? 'nothing';

/**
 * The violations, one line each; empty when every promise holds.
 * - a message that was reported as done has the files of its customer, in their order, and each link gives its content;
 * - no link is in two messages, and no content is kept twice;
 * - what is kept belongs to a message that is there, or may still be sent.
 */
export function judgeFiles({ sent, stored, opened, kept }: FileEvidence): string[] {
  const texts = new Map(
    stored.flatMap(({ id, description, messages }) => [
      [id, description] as const,
      ...messages.map((message) => [`${id} ${message.id}`, message.body] as const),
    ]),
  );
  const allLinks = [...texts.values()].flatMap((text) => splitFiles(text).links);
  const living = new Set(
    sent.filter(({ end }) => end !== 'rejected').flatMap(({ files }) => files.map(contentOf)),
  );
  return [
    ...sent.filter(({ end }) => end === 'done').flatMap((send) => ofSend(send, texts, opened)),
    ...repeated(allLinks).map((link) => `duplicated: in two messages: ${briefly(opened.get(link) ?? null)}`),
    ...repeated(kept).map((content) => `duplicated: kept twice: ${briefly(content)}`),
    ...kept
      .filter((content) => !living.has(content))
      .map((content) => `orphaned: kept for no message: ${briefly(content)}`),
  ];
}

function ofSend(
  { opening, ticketId, messageId, files, text }: Sent,
  texts: ReadonlyMap<string, string>,
  opened: FileEvidence['opened'],
): string[] {
  const stored = texts.get(opening ? `${opening.ticketId} ${messageId}` : (ticketId ?? '')) ?? '';
  const { links } = splitFiles(stored);
  const given = links.map((link) => opened.get(link) ?? null);
  const what = `${text}: ${files.map(({ name }) => name).join(', ') || 'no file'}, but ${given.map(briefly).join(', ') || 'none'}`;
  const own = files.map(contentOf);
  if (given.some((content) => content !== null && !own.includes(content))) return [`mixed up: ${what}`];
  if (given.length > files.length) return [`duplicated: ${what}`];
  return own.some((content, nth) => given[nth] !== content) ? [`lost: ${what}`] : [];
}

const repeated = (all: readonly string[]) => [...new Set(all.filter((each, nth) => all.indexOf(each) < nth))];

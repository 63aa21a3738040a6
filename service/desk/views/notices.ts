/** What a form did, by the name that the redirect after it carries. */
export const notices = {
  answered: 'Answer sent.',
  'answered-solved': 'Answer sent and ticket solved.',
  noted: 'Note added.',
  'status-set': 'Status changed.',
  merged: 'Ticket merged.',
  'company-set': 'Company saved.',
  'key-revoked': 'API key revoked. It no longer works.',
  'endpoint-deleted': 'Endpoint deleted.',
  'endpoint-paused': 'Endpoint paused. Events that wait for it stay queued.',
  'endpoint-resumed': 'Endpoint resumed.',
} as const;

export type NoticeName = keyof typeof notices;

/** The notice that a query parameter names, if any. */
export function readNotice(name: string | undefined): NoticeName | undefined {
  return name !== undefined && Object.hasOwn(notices, name) ? (name as NoticeName) : undefined;
}

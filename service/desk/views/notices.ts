/** What a form did, by the name that the redirect after it carries. */
export const notices = {
  answered: 'Your answer is sent.',
  'answered-solved': 'Your answer is sent, and the ticket is solved.',
  noted: 'Your note is added.',
  'status-set': 'The status is set.',
  merged: 'The ticket is merged.',
  'company-set': 'The company is saved.',
  'key-revoked': 'The key is revoked. It no longer opens anything.',
  'endpoint-deleted': 'The endpoint is deleted.',
  'endpoint-paused': 'The endpoint is paused. What waits for it keeps waiting.',
  'endpoint-resumed': 'The endpoint is active again.',
} as const;

export type NoticeName = keyof typeof notices;

/** The notice that a query parameter names, if any. */
export function readNotice(name: string | undefined): NoticeName | undefined {
  return name !== undefined && Object.hasOwn(notices, name) ? (name as NoticeName) : undefined;
}

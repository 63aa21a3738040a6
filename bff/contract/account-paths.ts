/** The routes for what few customers do. A file of its own, so that the app fetches it with the views of that. */
export const accountPaths = {
  code: '/api/session/code',
  codeVerify: '/api/session/code/verify',
  handoff: '/api/session/handoff',
  handoffConfirm: '/api/session/handoff/confirm',
  handoffRedeem: '/api/session/handoff/redeem',
  /** What is stored of whoever asks; `DELETE` removes it. */
  data: '/api/session/data',
  /** Where they are signed in; `DELETE` signs them out everywhere. */
  devices: '/api/session/devices',
} as const;

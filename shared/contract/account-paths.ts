/** The routes that few customers use. They have a file of their own so that the app loads it with their views. */
export const accountPaths = {
  code: '/api/session/code',
  codeVerify: '/api/session/code/verify',
  handoff: '/api/session/handoff',
  handoffConfirm: '/api/session/handoff/confirm',
  handoffRedeem: '/api/session/handoff/redeem',
  /** The stored data of the asking customer; `DELETE` removes it. */
  data: '/api/session/data',
  /** Where the customer is signed in; `DELETE` signs them out everywhere. */
  devices: '/api/session/devices',
} as const;

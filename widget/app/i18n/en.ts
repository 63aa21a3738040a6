import type { ErrorCode, FieldFault } from '../../../bff/contract/errors.ts';
import type { OperationState, Priority } from '../../../bff/contract/tickets.ts';

/** What the contract names and the customer can meet: a new name does not compile without its sentence. */
interface Named {
  /** What "Send again" means where the customer has to decide. */
  undecided: Partial<Record<OperationState, string>>;
  errors: Record<ErrorCode, string>;
  states: Record<OperationState, string>;
  priorities: Record<Priority, string>;
  faults: Record<FieldFault, string>;
}

/** Every sentence of the app. Placeholders stand in braces; plurals by the categories of `Intl.PluralRules`. */
export const en = {
  support: 'Support',
  start: 'How can we help?',
  newTicket: 'New ticket',
  yourTickets: 'Your tickets',
  close: 'Close',
  back: 'Back',
  backToTickets: 'Back to your tickets',
  tryAgain: 'Try again',
  loading: 'Loading…',
  identifying: 'Signing you in…',
  identifyingSlow: 'This takes longer than usual.',
  asNobody: 'Continue without signing in',

  fields: {
    customer_name: 'Your name',
    customer_email: 'Email',
    subject: 'Subject',
    description: 'How can we help?',
    priority: 'Priority',
  },
  optional: 'optional',
  noPriority: 'No preference',
  priorities: { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' },
  send: 'Send',
  sendHint: '{keys} to send',
  left: { one: '{count} character left', other: '{count} characters left' },
  over: { one: '{count} character too many', other: '{count} characters too many' },
  faults: {
    required: 'Please fill in “{field}”',
    too_long: '“{field}” can have at most {max} characters',
    invalid: '“{field}” does not look right',
  },

  unread: { one: '{count} new reply', other: '{count} new replies' },
  you: 'You',
  statuses: { new: 'New', open: 'Open', pending: 'Pending', solved: 'Solved', closed: 'Closed' },
  conversation: 'Conversation',
  writeReply: 'Write a reply',
  sendReply: 'Send reply',
  earlier: 'Earlier messages',
  newest: 'Newest messages',
  states: {
    sending: 'Sending…',
    accepted: 'Waiting to be delivered',
    unknown: 'Waiting to be delivered',
    done: 'Sent',
    rejected: 'Not sent',
  },
  awaited: 'Thank you. The answer will appear here.',
  sendAgain: 'Send again',
  undecided: {
    accepted: 'It is not tried any more by itself.',
    unknown: 'It may have arrived. If it has, sending again delivers it twice.',
  },
  hidden: 'A reply from another place is hidden until you verify your e-mail',
  verify: 'Verify your e-mail',
  movedHint: 'What you wrote comes along.',
  startOver: 'Start a new ticket',
  arrived: 'New reply in {subject}',
  noPreviews: 'Don’t show again',

  find: 'Find my earlier tickets',
  sendCode: 'Send me a code',
  codeSent: 'We sent a code to {email}. It works for 10 minutes.',
  code: 'Code',
  wrongCode: 'This code is wrong or no longer works',
  newCode: 'Send a new code',
  showTickets: 'Show my tickets',
  otherDevice: 'Continue on another device',
  thisDevice: 'Open your tickets on this device?',
  link: 'Link',
  copyLink: 'Copy link',
  copied: 'Copied',
  openThere: 'Yes, open my tickets there',
  no: 'No',
  openHere: 'Open my tickets',
  handoff: {
    offered: 'Scan this with the other device, or open the link there within 10 minutes.',
    asked: 'A device is asking. Does it show {number}?',
    given: 'Your tickets open on the other device now.',
    found: 'Go on only if the link comes from a device of your own.',
    waiting: 'This device shows {number}. Say yes on the other device.',
    taken: 'This device is in use already. Leave here first, then open the link again.',
    over: 'This link no longer works.',
  },
  signOut: 'Sign out',
  forget: 'Forget me on this device',
  forgetHint: 'Your tickets can then no longer be opened here.',
  claimable: {
    one: '{count} conversation was opened with your address on another device.',
    other: '{count} conversations were opened with your address on another device.',
  },
  claim: 'Add them to your tickets',
  claimHint: 'They can then no longer be opened there.',
  transferable: {
    one: 'Add this conversation to your account?',
    other: 'Add {count} conversations to your account?',
  },
  transfer: 'Add',
  transferHint: 'You are signed in as {account}. What you do not add can no longer be opened here.',
  moved: 'Tickets were moved from here to the verified owner of their email address.',
  movedBack: 'If that is you, sign in with a code to see them again.',
  gotIt: 'Got it',

  loadFailed: 'This could not be loaded',
  outdated: 'This page is out of date.',
  reload: 'Reload',
  offline: 'You are offline. What you send goes out when you are back.',
  reconnecting: 'Reconnecting…',
  updated: 'Last updated {time}',
  stale: 'Replies may be late or missing: the support desk cannot be reached right now.',
  onlyHere: 'Leave this page open until your text is sent.',
  errors: {
    invalid_request: 'Please check what you wrote',
    unauthenticated: 'This conversation can no longer be opened in this browser. Your text is kept.',
    email_unverified: 'Many tickets came from this email address today. Verify your email, then send again.',
    forbidden_origin: 'Something went wrong on our side.',
    not_found: 'This conversation is not available here',
    conversation_merged: 'This conversation has moved',
    operation_in_progress: 'Sending…',
    payload_too_large: 'This is too long to send.',
    unsupported_media_type: 'Something went wrong on our side.',
    proof_required: 'The check against spam did not work here. It is tried again.',
    rate_limited: 'That was a lot at once. You can send again {time}.',
    internal: 'Something went wrong on our side.',
    upstream_unavailable: 'The support desk cannot be reached right now.',
    overloaded: 'The support desk cannot be reached right now.',
  },
} as const satisfies Named & Record<string, unknown>;

import type { ErrorCode, FieldFault } from '../../../bff/contract/errors.ts';
import type { OperationState, Priority } from '../../../bff/contract/tickets.ts';

/** What the contract names and the customer can meet: a new name does not compile without its sentence. */
interface Named {
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
  backToTickets: 'Back to your tickets',
  tryAgain: 'Try again',
  loading: 'Loading…',

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
  statuses: { new: 'New' },
  conversation: 'Conversation',
  writeReply: 'Write a reply',
  sendReply: 'Send reply',
  newest: 'Newest messages',
  states: {
    sending: 'Sending…',
    accepted: 'Waiting to be delivered',
    unknown: 'Waiting to be delivered',
    done: 'Sent',
    rejected: 'Not sent',
  },
  sendAgain: 'Send again',
  hidden: 'A reply from another place is hidden until you verify your e-mail',
  moved: 'This conversation has moved',
  movedHint: 'What you wrote comes along.',
  startOver: 'Start a new ticket',
  arrived: 'New reply in {subject}',

  loadFailed: 'This could not be loaded',
  offline: 'You are offline. What you send goes out when you are back.',
  reconnecting: 'Reconnecting…',
  stale: 'Replies may be late: the support desk cannot be reached right now.',
  onlyHere: 'Leave this page open until your text is sent.',
  errors: {
    invalid_request: 'Please check what you wrote',
    unauthenticated: 'This conversation can no longer be opened in this browser. Your text is kept.',
    forbidden_origin: 'Something went wrong on our side.',
    not_found: 'This conversation is not available here',
    conversation_merged: 'This conversation has moved',
    operation_in_progress: 'Sending…',
    payload_too_large: 'This is too long to send.',
    unsupported_media_type: 'Something went wrong on our side.',
    proof_required: 'Something went wrong on our side.',
    rate_limited: 'That was a lot at once. It is tried again in a while.',
    internal: 'Something went wrong on our side.',
    upstream_unavailable: 'The support desk cannot be reached right now.',
    overloaded: 'The support desk cannot be reached right now.',
  },
} as const satisfies Named & Record<string, unknown>;

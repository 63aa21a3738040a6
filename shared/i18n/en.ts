import type { ErrorCode, FieldFault } from '../contract/errors.ts';
import type { NewTicket, OperationState, Priority } from '../contract/tickets.ts';

/** Names of the contract that the customer can see. A new name does not compile without its sentence. */
interface Named {
  /** What "Send again" means where the customer has to decide. */
  undecided: Partial<Record<OperationState, string>>;
  errors: Record<ErrorCode, string>;
  states: Record<OperationState, string>;
  priorities: Record<Priority, string>;
  faults: Record<FieldFault, string>;
  /** Used for one field in place of the sentence in `faults`. */
  fieldFaults: Partial<Record<keyof NewTicket, Partial<Record<FieldFault, string>>>>;
}

/**
 * Every sentence that Deskside says in English; another language is a file of the same shape. Placeholders are in
 * braces; plurals by the categories of `Intl.PluralRules`.
 */
export const en = {
  support: 'Support',
  start: 'How can we help?',
  newTicket: 'New ticket',
  yourTickets: 'Your tickets',
  continueDraft: 'Continue your message',
  close: 'Close',
  back: 'Back',
  backToTickets: 'Back to your tickets',
  tryAgain: 'Try again',
  loading: 'Loading…',
  identifying: 'Signing you in…',
  identifyingSlow: 'This is taking longer than usual.',
  asNobody: 'Continue without signing in',

  fields: {
    customer_name: 'Your name',
    customer_email: 'Email',
    subject: 'Subject',
    description: 'Message',
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
    invalid: 'Please check “{field}”',
  },
  fieldFaults: {
    customer_email: { invalid: 'Enter a valid email address' },
    description: { required: 'Please write a message' },
  },
  fixFaults: 'Please fix the following',
  didYouMean: 'Did you mean {domain}?',

  unread: { one: '{count} new reply', other: '{count} new replies' },
  you: 'You',
  colleagues: 'Your colleagues’ tickets',
  colleague: 'Colleague',
  colleagueOnly: 'Opened by a colleague. Only they can reply.',
  draft: 'Draft',
  statuses: {
    new: 'Received',
    open: 'In progress',
    pending: 'Waiting for you',
    solved: 'Solved',
    closed: 'Closed',
  },
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
  awaited: 'Thanks, we got it. Our reply will appear here.',
  keepTrying: 'We’ll keep trying. You can close this page.',
  sendAgain: 'Send again',
  undecided: {
    accepted: 'We’ve stopped trying.',
    unknown: 'It may have arrived. Sending again may create a duplicate.',
  },
  hidden: 'Verify your email to see another reply',
  byMail: 'By email',
  verify: 'Verify email',
  movedHint: 'We’ll copy your message.',
  startOver: 'Start a new ticket',
  quoted: 'Show quoted text',
  more: 'More options',
  copyNumber: 'Copy ticket number',
  download: 'Download conversation',
  print: 'Print',
  wider: 'Make wider',
  narrower: 'Make narrower',
  writeAgain: 'You can write here again any time.',
  arrived: 'New reply in {subject}',
  noPreviews: 'Don’t show again',

  find: 'Find my earlier tickets',
  findHint: 'Enter the email address you wrote with. We’ll send you a code to open this conversation.',
  onlyThere: 'Open it on the device where you wrote to us, or start a new ticket.',
  sendCode: 'Send me a code',
  codeSent: 'We sent a code to {email}. It expires in 10 minutes.',
  code: 'Code',
  wrongCode: 'This code is wrong or has expired',
  newCode: 'Send a new code',
  showTickets: 'Show my tickets',
  found: 'Tickets found: {count}',
  noneFound: 'We found no earlier tickets under this address.',
  otherDevice: 'Continue on another device',
  thisDevice: 'Open your tickets on this device?',
  link: 'Link',
  copyLink: 'Copy link',
  copied: 'Copied',
  openThere: 'Yes, open my tickets there',
  no: 'No',
  openHere: 'Open my tickets',
  handoff: {
    offered: 'Scan this with your other device, or open the link there within 10 minutes.',
    asked: 'Another device wants to open your tickets. Does it show {number}?',
    given: 'Your tickets are now open on your other device.',
    found: 'Continue only if you sent this link yourself.',
    waiting: 'This device shows {number}. Confirm on your other device.',
    taken: 'Someone is signed in here. Sign out first, then open the link again.',
    over: 'This link no longer works.',
  },
  signOut: 'Sign out',
  signedOut: 'You’re signed out.',
  forget: 'Forget me on this device',
  forgetHint: 'You won’t be able to open your tickets here anymore.',
  forgotten: 'Everything about you was removed from this device.',
  claimable: {
    one: '{count} conversation was started with your email on another device.',
    other: '{count} conversations were started with your email on another device.',
  },
  claim: 'Open here',
  claimHint: 'They’ll no longer open on the other device.',
  transferable: {
    one: 'Add this conversation to your account?',
    other: 'Add {count} conversations to your account?',
  },
  transfer: 'Add',
  transferHint: 'You’re signed in as {account}. Conversations you don’t add will no longer open here.',
  moved: 'You opened this on another device.',
  movedBack: 'Get a code to see it here too.',
  gotIt: 'Got it',
  data: {
    title: 'Your data and devices',
    here: 'This device',
    used: 'Last used {time}',
    everywhere: 'Sign out everywhere',
    signedOut: 'You’re signed out on all devices.',
    download: 'Download my data',
    delete: 'Delete my data',
    deleteHint:
      'You won’t be able to open your tickets here or on any other device. Support keeps what you sent.',
    deleteNow: 'Delete now',
    undelivered: 'One of your messages is still being sent. Try again later.',
    deleted: 'Your data was deleted.',
  },

  loadFailed: 'This couldn’t be loaded',
  outdated: 'This page is out of date.',
  reload: 'Reload',
  offline: 'You’re offline. We’ll send it when you’re back.',
  reconnecting: 'Reconnecting…',
  updated: 'Last updated {time}',
  stale: 'We can’t reach support right now. Replies may be delayed.',
  onlyHere: 'Keep this page open until your message is sent.',
  noFiles: 'Files can’t be sent here.',
  errors: {
    invalid_request: 'Please check what you wrote',
    unauthenticated: 'You can’t open this conversation in this browser anymore. Your message is saved.',
    email_unverified: 'Too many tickets came from this email today. Verify it, then send again.',
    forbidden_origin: 'Something went wrong on our side.',
    not_found: 'This conversation isn’t available here',
    conversation_merged: 'This ticket was merged into another',
    operation_in_progress: 'Sending…',
    payload_too_large: 'This is too long to send.',
    unsupported_media_type: 'Something went wrong on our side.',
    proof_required: 'Spam check failed. Retrying…',
    rate_limited: 'Too many messages. You can send again {time}.',
    internal: 'Something went wrong on our side.',
    upstream_unavailable: 'We can’t reach support right now.',
    overloaded: 'We can’t reach support right now.',
  },

  /**
   * Sentences that are in the document only if a setting of the BFF asks for them. `{time}`: a duration, or a time of
   * day.
   */
  site: {
    articles: {
      search: 'Search for answers',
      find: 'Find answers',
      top: 'Helpful articles',
      found: 'Results: {count}',
      none: 'Nothing found. Try different words, or write to us.',
      suggested: 'This may help',
      ask: 'Did this help?',
      yes: 'Yes',
      thanks: 'Thanks for telling us.',
      sorry: 'Sorry about that. Write to us, and we’ll help.',
    },
    ratings: {
      ask: 'Did this solve it?',
      notYet: 'Not yet',
      goOn: 'Tell us below what is missing.',
      rate: 'How was our help?',
      scores: { 1: 'Very bad', 2: 'Bad', 3: 'Okay', 4: 'Good', 5: 'Very good' },
      word: 'Anything to add?',
      thanks: 'Thank you.',
    },
    screenshot: {
      take: 'Screenshot of this page',
      title: 'Edit screenshot',
      crop: 'Crop',
      hide: 'Hide',
      arrow: 'Arrow',
      undo: 'Undo',
      cancel: 'Cancel',
      attach: 'Attach',
      hidden: 'Hidden area',
      hints: {
        crop: 'Drag around what you want to keep.',
        hide: 'Drag over what nobody should see.',
        arrow: 'Drag to what you want to point at.',
      },
      keys: 'Arrow keys move it, Shift and arrow keys resize it, Delete removes it.',
      failed: 'The screenshot didn’t work. You can attach a picture instead.',
    },
    files: {
      attach: 'Attach files',
      drop: 'Drop files here to attach them',
      list: 'Attached files',
      remove: 'Remove {name}',
      added: '{name} added',
      removed: '{name} removed',
      uploaded: '{name} uploaded',
      unreadable: '“{name}” couldn’t be read.',
      notTaken: '“{name}” is a kind of file that can’t be sent here.',
      tooLarge: '“{name}” is larger than {size}.',
      tooMany: {
        one: 'You can attach only {count} file to a message.',
        other: 'You can attach up to {count} files to a message.',
      },
      foreign: '“{name}” may not open on every device.',
      failed: '“{name}” couldn’t be uploaded.',
      lost: '“{name}” isn’t in this browser anymore.',
      retrying: 'Not uploaded yet. We’ll keep trying.',
      unkept: 'If you reload this page, you’ll need to attach these files again.',
      waiting: { one: 'Waiting for {count} file…', other: 'Waiting for {count} files…' },
      stuck: 'Your message is sent once you try again or remove the file.',
      edit: 'Edit message',
    },
    /** `picture` and `files` in place of the text of a message that has only files. */
    attached: {
      picture: 'Picture',
      files: { one: '{count} file', other: '{count} files' },
      removed: 'Picture was removed',
      place: '{number} of {count}',
      previous: 'Previous picture',
      next: 'Next picture',
      zoomIn: 'Zoom in',
      zoomOut: 'Zoom out',
      open: 'Open in a new tab',
    },
    /** The link behind what a status page reports. */
    statusPage: 'Status page',
    toSite: 'Back to {site}',
    replyTime: 'Usually replies in {time}',
    backOn: 'Back on {day} at {time}',
    backSoon: 'Back {day} at {time}',
    answerOn: 'You’ll hear from us on {day} after {time}.',
    answerSoon: 'You’ll hear from us {day} after {time}.',
    // Says “mail”, so that tools looking for the field “Email” find only that one.
    notify: 'Tell me by mail when there’s a reply',
    answerMail: 'If you’re away when we reply, we’ll let you know at {email}.',
    form: {
      topic: 'Topic',
      example: 'For example {example}',
      choose: 'Please choose',
      tick: 'Please tick this box to continue',
    },
  },

  /** On the host page. `{count}`: unread answers. */
  launcher: {
    open: 'Open support',
    close: 'Close support',
    failed: 'Support couldn’t load.',
    unread: '{count} unread',
  },

  /** The answer to an email that belongs to no conversation. A link is below `lead`. */
  lostMail: {
    subject: 'Your email to {brand}',
    lead: 'Thanks for your email. We couldn’t match it to a conversation, so nobody has seen it. Please write to us here instead:',
    open: 'Write to us',
  },

  /** The mail with a one-time code. `lead` is above it. */
  codeMail: {
    subject: '{code} is your code for {brand}',
    lead: 'Your code for {brand}:',
    use: 'Enter it where you asked for it. It works once and expires in 10 minutes.',
    warning:
      'If you didn’t ask for a code, you can ignore this email. Nobody can use your address without the code. Don’t share it with anyone, even if they say they work here.',
  },

  /**
   * The mails about a ticket. `subject` is that of all of them, `stop` is a link, `stopQuestion` and `stopped`
   * are on its page.
   */
  ticketMail: {
    subject: 'Your message to {brand} (no. {number})',
    thanks: '{brand} has your message. We’ll reply as soon as we can.',
    lead: '{brand} has replied to your message.',
    open: 'Open the conversation',
    canReply: 'You can simply reply to this email.',
    noReply: 'Please answer there. A reply to this email doesn’t reach the conversation.',
    newDevice: 'On a new device, you’ll need to enter your email address and the code we send you.',
    reason:
      'You’re getting this email because someone entered your address in a message to {brand}. If that wasn’t you, you can ignore it.',
    stop: 'Stop these emails',
    stopQuestion: 'Stop emails about messages to {brand}?',
    stopped: 'You won’t get these emails anymore.',
  },
} as const satisfies Named & Record<string, unknown>;

/**
 * The sentences of the desk's script. The browser runs the texts of these arrow functions (`../../script.ts`), so they
 * use nothing from outside themselves.
 */
export const browser = {
  /** The server uses these too. */
  times: {
    /** For dates and times of day. */
    locale: 'en-GB',
    now: 'now',
    minutes: (count: number) => `${count} min`,
    hours: (count: number) => `${count} h`,
    days: (count: number) => `${count} d`,
    utc: (time: string) => `${time} UTC`,
  },

  script: {
    show: 'Show',
    ticketsChanged: (count: number) =>
      count === 1 ? '1 ticket is new or changed.' : `${count} tickets are new or changed.`,
    listChanged: 'The list has changed.',
    merged: 'This ticket was merged into another and can’t be answered anymore.',
    newMessage: (author: string) => `New message from ${author}.`,
    newMessages: (count: number) => `${count} new messages.`,
    signedOut: 'You’re signed out. Your text is saved in this tab.',
    signIn: 'Sign in',
    upToDate: 'Up to date again.',
    notUpToDate: 'Not up to date. The desk isn’t responding.',
    tryNow: 'Try now',
    savedLoading: 'Loading…',
    savedFailed: 'The saved answers can’t be loaded. Close this and try again.',
    savedNone: 'There are no saved answers yet.',
    savedFound: (count: number) =>
      count === 0 ? 'Nothing found.' : count === 1 ? '1 saved answer' : `${count} saved answers`,
    attaching: (name: string) => `Attaching ${name}…`,
    attachFailed: (name: string) => `${name} couldn’t be attached. Try again.`,
    attachTooLarge: 'This file is too large.',
    sendKeys: 'Ctrl+Enter',
    sendKeysOnMac: '⌘+Enter',
  },
};

/** The desk's results for a form or an address. */
export const outcomes = {
  /** By the name in the redirect after a form. */
  notices: {
    answered: 'Answer sent.',
    'answered-solved': 'Answer sent and ticket solved.',
    'answered-next': 'Answer sent. This is the next ticket.',
    'answered-last': 'Answer sent. No other ticket of this list needs an answer.',
    inserted: 'Saved answer inserted. It’s not sent yet.',
    assigned: 'The ticket is assigned to you.',
    unassigned: 'The ticket is assigned to nobody.',
    'answer-saved': 'Answer saved.',
    'answer-removed': 'Saved answer removed.',
    noted: 'Note added.',
    'status-set': 'Status changed.',
    merged: 'Ticket merged.',
    'company-set': 'Company saved.',
    'key-revoked': 'API key revoked. It no longer works.',
    'endpoint-deleted': 'Endpoint deleted.',
    'endpoint-paused': 'Endpoint paused. Its events stay queued.',
    'endpoint-resumed': 'Endpoint resumed.',
  },

  /** Beside the field that was refused. */
  faults: {
    wrongPassword: 'Wrong email or password.',
    tooEarly: (sec: number) =>
      `Too many attempts. Try again in ${sec === 1 ? 'one second' : `${sec} seconds`}.`,
    empty: 'Write something first.',
    tooLong: (excess: number, max: number) =>
      `This is ${excess === 1 ? 'one character' : `${excess} characters`} too long (at most ${max.toLocaleString('en')}).`,
    mergedMeanwhile: 'This ticket was merged in the meantime. Write in the other ticket.',
    arrivedMeanwhile: 'Not sent yet: the messages above arrived while you wrote.',
    formUsed: 'This form was already sent with different text.',
    assignedMeanwhile: 'Not changed: the ticket was assigned to someone else or merged in the meantime.',
    noneChosen: 'Choose a saved answer first.',
    nameTaken: 'Another saved answer has this name.',
    tooManyAnswers: (max: number) => `There are already ${max} saved answers. Remove one first.`,
    status: 'This status can’t be set.',
    merge: {
      no_such_ticket: 'No ticket has this number.',
      same_ticket: 'This is the same ticket. Enter the number of another one.',
      already_merged: 'This ticket was already merged.',
      target_merged: 'That ticket was merged into another. Enter the number of that one.',
    },
    endpoint: {
      no_http_address: 'This is not an http or https address.',
      has_credentials: 'The address can’t contain a username or password.',
      no_event: 'Choose at least one event.',
    },
  },

  /** On a page of their own. */
  errors: {
    notFound: 'Not found',
    refused: 'That didn’t work',
    broken: { title: 'Something broke', message: 'Nothing was changed. Please try again.' },
    back: 'Back to the tickets',
    noPage: 'There is no such page.',
    noTicket: 'There is no such ticket.',
    noSavedAnswer: 'There is no such saved answer.',
    noCustomer: 'There is no such customer.',
    noKey: 'This key doesn’t exist or was revoked.',
    noEndpoint: 'There is no such endpoint.',
    formTooLarge: 'The form was too large.',
    fileTooLarge: 'The file was too large.',
    formIncomplete: 'The form was not complete.',
    foreignForm: 'This is not one of the desk’s forms.',
    otherSite: 'This form was sent from another site, so nothing was done.',
  },
};

/** The server sends the text of such a function and never calls it, so it needs no types of the DOM. */
type BrowserFunction = (...given: never[]) => unknown;

export const attachFiles: BrowserFunction;
export const createAnnounce: BrowserFunction;
export const keepDrafts: BrowserFunction;
export const followList: BrowserFunction;
export const followTicket: BrowserFunction;
export const followPage: BrowserFunction;
export const sendByKeyboard: BrowserFunction;
export const offerSavedAnswers: BrowserFunction;
export const useKeys: BrowserFunction;
export const showLocalTimes: BrowserFunction;

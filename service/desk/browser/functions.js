// What the server sends to browsers. JavaScript, since its types beside it keep those of the DOM out of the server.
export { attachFiles } from './attach-files.ts';
export { createAnnounce } from './announce.ts';
export { keepDrafts } from './drafts.ts';
export { followList } from './follow-list.ts';
export { followTicket } from './follow-ticket.ts';
export { useKeys } from './keys.ts';
export { followPage } from './poll.ts';
export { offerSavedAnswers } from './saved-answers.ts';
export { sendByKeyboard } from './shortcuts.ts';
export { showLocalTimes } from './times.ts';

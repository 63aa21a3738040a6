import { createAnnounce } from './browser/announce.ts';
import { keepDrafts } from './browser/drafts.ts';
import { followList } from './browser/follow-list.ts';
import { followTicket } from './browser/follow-ticket.ts';
import { followPage } from './browser/poll.ts';
import { sendByKeyboard } from './browser/shortcuts.ts';
import { showLocalTimes } from './browser/times.ts';
import { hashedPath } from './hashed-path.ts';
import { ago, fullTime } from './views/time.ts';

const textOf = (run: (...given: never[]) => unknown) => `(${run.toString()})`;

/**
 * The desk's one script: the texts of functions that need nothing but the browser and what they are given, so that it
 * is typed like all else and the bundled service needs no file beside it. The desk works without it.
 */
export const script = `'use strict';
(() => {
// tsx, which runs the service from its source, names inner functions by this.
const __name = (value) => value;
const showTimes = ${textOf(showLocalTimes)}({ ago: ${textOf(ago)}, fullTime: ${textOf(fullTime)} });
const announce = ${textOf(createAnnounce)}();
${textOf(keepDrafts)}();
${textOf(sendByKeyboard)}();
const follow = document.getElementById('list')
  ? ${textOf(followList)}(announce, showTimes)
  : ${textOf(followTicket)}(announce, showTimes);
${textOf(followPage)}(follow, announce);
})();
`;

export const scriptPath = hashedPath('desk', script, 'js');

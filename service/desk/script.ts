import {
  attachFiles,
  createAnnounce,
  followList,
  followPage,
  followTicket,
  keepDrafts,
  offerSavedAnswers,
  sendByKeyboard,
  showLocalTimes,
  useKeys,
} from './browser/functions.js';
import { hashedPath } from './hashed-path.ts';
import { sentences } from './sentences/sentences.ts';
import { createTimes } from './views/time.ts';

const textOf = (run: (...given: never[]) => unknown) => `(${run.toString()})`;

/** An object with the same sentences, as an expression. */
const objectOf = (texts: Record<string, string | ((...given: never[]) => string)>) =>
  `({ ${Object.entries(texts)
    .map(([name, text]) => `${name}: ${typeof text === 'string' ? JSON.stringify(text) : textOf(text)}`)
    .join(', ')} })`;

/**
 * The desk's one script, made of the texts of functions that use only the browser and their arguments. It is therefore
 * typed like other code, and the bundled service needs no extra file. The desk works without it.
 */
export const script = `'use strict';
(() => {
// tsx, which runs the service from its source, names inner functions by this.
const __name = (value) => value;
const texts = ${objectOf(sentences.script)};
const showTimes = ${textOf(showLocalTimes)}(${textOf(createTimes)}(${objectOf(sentences.times)}));
const announce = ${textOf(createAnnounce)}();
${textOf(keepDrafts)}();
${textOf(sendByKeyboard)}(texts);
${textOf(offerSavedAnswers)}(texts);
${textOf(attachFiles)}(texts);
${textOf(useKeys)}();
const follow = document.getElementById('list')
  ? ${textOf(followList)}(texts, announce, showTimes)
  : ${textOf(followTicket)}(texts, announce, showTimes);
${textOf(followPage)}(texts, announce, follow);
})();
`;

export const scriptPath = hashedPath('desk', script, 'js');

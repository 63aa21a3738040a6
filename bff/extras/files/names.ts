import { maxFileName } from '../../../shared/contract/files.ts';
import { percentEncoded } from '../../../shared/text/percent.ts';
import { endingOf, isEndingOf } from './kinds.ts';

/* Names of files, as they are shown, linked and saved. It knows nothing of the files themselves. */

/** Controls, line and paragraph separators, and what changes the direction of text or cannot be seen. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/** What some system takes for a part of a path or of a command. */
const ofPaths = /[/\\:*?"<>|]/g;
/** Names of devices on Windows, with any ending. */
const isReserved = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;
const noName = 'file';

/** At most `length` UTF-16 units, and never half of a pair. */
function cutTo(text: string, length: number): string {
  const cut = text.slice(0, Math.max(0, length));
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** Without points and spaces at both ends. */
function trimmed(name: string): string {
  const isPad = (char: string | undefined) => char === '.' || char === ' ';
  let [start, end] = [0, name.length];
  while (isPad(name[start])) start += 1;
  while (end > start && isPad(name[end - 1])) end -= 1;
  return name.slice(start, end);
}

/**
 * A name that is safe to show and to save on every system, with an ending of its type. A text keeps an ending of a text;
 * any other gets one, so that no text is run.
 */
export function cleanName(given: string, type: string): string {
  const cleaned = given.normalize('NFC').replace(unseen, '').replace(ofPaths, '_').replace(/\s+/g, ' ');
  const name = trimmed(cleaned);
  const [, stem = name, ending = ''] = /^(.+)\.([^.]*)$/.exec(name) ?? [];
  const lower = ending.toLowerCase();
  const usual = endingOf(type);
  const isRight = isEndingOf(lower, type);
  // A picture that was renamed gets the right ending instead of the wrong one. Any other ending may be part of the name.
  const isWrong = !isRight && /^(image|video|audio)\//.test(type) && /^[a-z0-9]{2,5}$/i.test(ending);
  const kept = isRight || isWrong ? stem : name;
  const last = isRight ? ending : usual;
  const dotted = last && `.${last}`;
  const base = trimmed(cutTo(kept, maxFileName - dotted.length)) || noName;
  return `${isReserved.test(base.split('.')[0]!.trim()) ? cutTo(`_${base}`, maxFileName - dotted.length) : base}${dotted}`;
}

/** For programs that know no other characters. */
const asciiName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.() -]/g, '_');

/** The header of RFC 6266. */
export const dispositionOf = (name: string, isShown: boolean): string =>
  `${isShown ? 'inline' : 'attachment'}; filename="${asciiName(name)}"; filename*=UTF-8''${percentEncoded(name)}`;

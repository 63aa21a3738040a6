const maxName = 100;

/** Control characters, and those that turn the direction of a text or cannot be seen. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A file's name as a link and a line of text can have it: without folders, and not too long. */
export function cleanName(given: string): string {
  const name = given
    .normalize()
    .replace(unseen, '')
    .replace(/\s+/g, ' ')
    .replace(/^.*[\\/]/, '')
    .trim();
  const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? '';
  const stem = Array.from(name.slice(0, name.length - ending.length));
  const short = stem
    .slice(0, maxName - ending.length)
    .join('')
    .trim();
  return `${/[\p{L}\p{N}]/u.test(short) ? short : 'file'}${ending}`;
}

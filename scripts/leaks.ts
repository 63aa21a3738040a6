/** Patterns of texts that no log line and no metric may contain. */
const forms: Record<string, RegExp> = {
  'an e-mail address': /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/,
  'an IP address':
    /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?<![\w:])[\da-f]{0,4}(?:::?[\da-f]{1,4}){3,7}(?![\w:])|::1\b/i,
  'a session token': /\bs1_[\w-]{20}/,
  'a signed token': /\beyJ[\w-]{10}/,
  'a cookie': /__Host-|\bset-cookie\b/i,
  'a credential': /\b(?:Bearer|Basic) [\w+/=.-]{8}/i,
  'a key or a secret': /\b(?:whsec_|dsk_)[\w+/-]{16}|-----BEGIN|canary/,
  'a link that signs in': /#handoff=/,
  'an id': /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/i,
};

/** Request ids are meant to be in the log. The line "ready" has the server's own addresses. */
const allowed = [/"request_id":"[^"]*"/g, /"(?:address|admin)":\{[^}]*\}/g, /"public_url":"[^"]*"/g];

/** Shorter texts are also parts of ordinary words. */
const minTextLength = 3;

/** As written in a JSON line. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
const isPartOfWord = (character = '') => /\w/.test(character);

/** As a whole, not within a longer word. */
function has(line: string, text: string): boolean {
  for (let at = line.indexOf(text); at !== -1; at = line.indexOf(text, at + 1))
    if (!isPartOfWord(line[at - 1]) && !isPartOfWord(line[at + text.length])) return true;
  return false;
}

/**
 * Finds texts in log lines or metrics that strangers must not read.
 * @param texts the texts of customers and agents, including names and addresses
 * @returns one entry for each line with a finding: the kind of finding, and the line
 */
export function leaksIn(lines: readonly string[], texts: Iterable<string> = []): string[] {
  const written = [...new Set(texts)]
    .map((text) => text.trim())
    .filter(({ length }) => length >= minTextLength)
    .map(escaped);
  return lines.flatMap((line) => {
    const shown = allowed.reduce((left, pattern) => left.replace(pattern, ''), line);
    const form = Object.keys(forms).find((name) => forms[name]!.test(shown));
    const found = form ?? (written.some((text) => has(shown, text)) && 'what somebody wrote');
    return found ? [`${found}: ${line}`] : [];
  });
}

/** The samples of a scrape, without the texts that explain them. */
export const samplesOf = (metrics: string): string[] =>
  metrics.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

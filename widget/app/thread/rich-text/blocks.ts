type Block =
  | { text: string; items?: never }
  /** A list; `numbers`: of its items, as they were written; null where it has none. */
  | { items: string[]; numbers: number[] | null };

const bullet = /^ {0,3}[-*•] +(\S.*)$/;
const numbered = /^ {0,3}(\d{1,4})[.)] +(\S.*)$/;

const markerOf = (line: string) => [bullet, numbered].find((marker) => marker.test(line));

/** Splits a text into lists and the text between them. Two lines or more make a list. */
export function splitBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  // Runs of lines with the same marker, or with none.
  const runs: { marker: RegExp | undefined; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const marker = markerOf(line);
    const last = runs.at(-1);
    if (last && last.marker === marker) last.lines.push(line);
    else runs.push({ marker, lines: [line] });
  }
  let plain: string[] = [];
  const endPlain = () => {
    if (plain.length > 0) blocks.push({ text: plain.join('\n') });
    plain = [];
  };
  for (const { marker, lines } of runs) {
    if (!marker || lines.length < 2) {
      plain.push(...lines);
      continue;
    }
    endPlain();
    const matches = lines.map((line) => marker.exec(line)!);
    blocks.push({
      items: matches.map((match) => match.at(-1)!),
      numbers: marker === numbered ? matches.map((match) => Number(match[1])) : null,
    });
  }
  endPlain();
  return blocks;
}

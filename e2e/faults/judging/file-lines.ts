/** The lines of files below a text, and the line that counts them. */
const block = /\n\n(?<lines>(?:File: [^\n]+\n)+)\nDeskside: [^\n]+$/;

/** A text as its customer typed it, and the links of its files. */
export function splitFiles(stored: string): { text: string; links: string[] } {
  const found = block.exec(stored);
  if (!found) return { text: stored, links: [] };
  const links = found.groups!['lines']!.trimEnd().split('\n');
  return {
    text: stored.slice(0, found.index),
    links: links.map((line) => line.slice(line.lastIndexOf(' ') + 1)),
  };
}

interface CodePiece {
  text: string;
  code?: 'inline' | 'block';
}

// A fence includes the line breaks beside it, since it is shown as a block, and the name of its language.
const code = /\n?```(?:[\w+#-]*\n)?([^]+?)\n?```\n?|`([^`\n]+)`/g;

/** Splits a message into code and the text between it. */
export function splitCode(text: string): CodePiece[] {
  const pieces: CodePiece[] = [];
  let done = 0;
  for (const { 0: whole, 1: block, 2: inline, index } of text.matchAll(code)) {
    pieces.push({ text: text.slice(done, index) });
    pieces.push({ text: block ?? inline!, code: block ? 'block' : 'inline' });
    done = index + whole.length;
  }
  return [...pieces, { text: text.slice(done) }];
}

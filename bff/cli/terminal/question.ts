import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Makes a function that asks one question at a terminal. */
export const questionAt =
  (input: NodeJS.ReadStream, output: NodeJS.WriteStream) =>
  async (text: string, isSecret: boolean): Promise<string> => {
    if (isSecret) output.write(text);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input, output: isSecret ? silent : output, terminal: true });
    try {
      return (await lines.question(isSecret ? '' : text)).trim();
    } finally {
      lines.close();
      if (isSecret) output.write('\n');
    }
  };

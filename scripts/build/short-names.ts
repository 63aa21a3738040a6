/** In the order that results in the smallest app. */
const letters = 'etnrioaslucdfp_hvmykgwbxSTEjOMC$DPUAINLFRWqBHJKVzXGZYQ';
const signs = `${letters}0123456789`;

/**
 * Names for the minifier, shortest first and always in the same order. The minifier's own order depends on letter
 * frequencies, so a small change would rename almost everything and change the compressed size by up to a hundred
 * bytes.
 */
export const shortNames = {
  get(ordinal: number): string {
    let name = letters[ordinal % letters.length]!;
    for (let rest = Math.floor(ordinal / letters.length); rest > 0; rest = Math.floor(rest / signs.length)) {
      rest -= 1;
      name += signs[rest % signs.length];
    }
    return name;
  },
};

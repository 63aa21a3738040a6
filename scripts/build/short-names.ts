/** In an order that leaves the app smallest. */
const letters = 'etnrioaslucdfp_hvmykgwbxSTEjOMC$DPUAINLFRWqBHJKVzXGZYQ';
const signs = `${letters}0123456789`;

/**
 * Names for what is minified, the shortest first, always in one order. The minifier's own order is by how often letters
 * occur: a small change would rename almost everything, and so change the compressed size by up to a hundred bytes.
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

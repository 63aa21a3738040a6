/** Letters that have to be added, removed, replaced or swapped with their neighbour to get from one text to the other. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const costs = [row];
    const above = rows[row - 1]!;
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(above[column]! + 1, costs[column - 1]! + 1, above[column - 1]! + (isSame ? 0 : 1));
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        cost = Math.min(cost, rows[row - 2]![column - 2]! + 1);
      costs.push(cost);
    }
    rows.push(costs);
  }
  return rows.at(-1)!.at(-1)!;
}

const bare = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/** The name that was probably meant: at most this share of its letters differ, or one. */
export function nearest(name: string, names: readonly string[], share = 1 / 3): string | undefined {
  // A long text is no slip of the finger.
  const wanted = bare(name.slice(0, 40));
  const [best] = names
    .map((each) => ({
      each,
      cost: distance(wanted, bare(each)),
      most: Math.max(1, bare(each).length * share),
    }))
    .filter(({ cost, most }) => cost <= most)
    .sort((a, b) => a.cost - b.cost);
  return best?.each;
}

/**
 * A limit of ten actions a second; the returned function says whether one more is allowed. Two scripts that undo each
 * other's changes in mutation observers would freeze the page without one.
 */
export function createBudget(): () => boolean {
  let second = 0;
  let actions = 0;
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    actions = now === second ? actions + 1 : 1;
    second = now;
    return actions <= 10;
  };
}

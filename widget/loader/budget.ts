/**
 * Whether to act once more: no to more than ten acts within a second. Two scripts that undo each other as soon as
 * they are told would freeze the page, as nothing else ever gets its turn.
 */
export function createBudget(): () => boolean {
  let since = 0;
  let acts = 0;
  return () => {
    const now = Date.now();
    if (now - since > 1_000) [since, acts] = [now, 0];
    return (acts += 1) <= 10;
  };
}

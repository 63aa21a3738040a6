/**
 * Whether to act once more: no to more than ten acts within a second. Two scripts that undo each other as soon as
 * they are told would freeze the page, as nothing else ever gets its turn.
 */
export function createBudget(): () => boolean {
  let second = 0;
  let acts = 0;
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    acts = now === second ? acts + 1 : 1;
    second = now;
    return acts <= 10;
  };
}

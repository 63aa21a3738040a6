const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** A length of time as an operator reads it: `3 h`, `12 s`. */
export function readableAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const unit = units.find(([, length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : `${seconds} s`;
}

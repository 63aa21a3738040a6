const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];

/** A number of bytes for a person, such as “1.2 MB”. `language`: BCP 47. */
export function fileSize(bytes: number, language: string): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1_000 ** power;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[power]!,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && power > 1 ? 1 : 0,
  }).format(value);
}

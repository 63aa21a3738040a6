/** Sizes and shares in the customer's language (BCP 47). Sizes are counted as most systems show them, by the thousand. */
export function createSizes(language: string) {
  const inUnit = (unit: string, maximumFractionDigits: number) => {
    const format = new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits,
    });
    return (value: number) => format.format(value);
  };
  const kilobytes = inUnit('kilobyte', 0);
  const megabytes = inUnit('megabyte', 1);
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return {
    text: (bytes: number): string =>
      bytes < 999_500 ? kilobytes(Math.max(1, bytes / 1_000)) : megabytes(bytes / 1_000_000),
    percent: (share: number): string => percent.format(Math.floor(share * 100) / 100),
  };
}

export type Sizes = ReturnType<typeof createSizes>;

interface Pixels {
  width?: number | undefined;
  height?: number | undefined;
}

/** In CSS pixels. */
const most = { width: 240, height: 180 };
/** Enough for a finger, and for the sentence in place of a picture that is not shown. */
const least = { width: 96, height: 72 };

const between = (low: number, value: number, high: number) =>
  Math.round(Math.min(high, Math.max(low, value)));

/**
 * The room that a picture gets before it is loaded, in CSS pixels. Very long ones are cut to it, and small ones stand in its
 * middle.
 */
export function boxOf({ width, height }: Pixels): typeof most & { isSmall: boolean } {
  if (!width || !height) return { ...most, isSmall: true };
  const scale = Math.min(1, most.width / width, most.height / height);
  return {
    width: between(least.width, width * scale, most.width),
    height: between(least.height, height * scale, most.height),
    isSmall: width <= least.width && height <= least.height,
  };
}

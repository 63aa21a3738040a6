/**
 * White or black, whichever reads at 4.5:1 or better. The plain power differs from sRGB's own curve
 * by less than the width of the band around luminance 0.179 in which both pass.
 * @param background `color(srgb r g b)`, as a computed `color-mix(in srgb, …)` is given
 */
export function inkOn(background: string): '#fff' | '#000' {
  const [, red = 0, green = 0, blue = 0] = background.split(' ').map((channel) => parseFloat(channel) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

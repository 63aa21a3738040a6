import type { FrameSettings } from '../../bridge/messages.ts';

/** What stands for the brand where it has no logo. */
export const initialOf = (brand: string): string => String.fromCodePoint(brand.codePointAt(0)!).toUpperCase();

/** The address of the brand's logo, which may be relative to the host page; undefined if there is none. */
export function logoOf({ logo, page_url }: Partial<FrameSettings>): string | undefined {
  try {
    return logo && new URL(logo, page_url).href;
  } catch {
    return undefined;
  }
}

import type { Brand } from '../../../shared/contract/site.ts';
import type { FrameSettings } from '../../bridge/messages.ts';

/** The operator's brand, as the document has it. */
export function readBrand(): Partial<Brand> {
  try {
    return JSON.parse(document.getElementById('brand')!.textContent) as Brand;
  } catch {
    return {};
  }
}

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

/**
 * Sets theme and accent colour on the root element. tokens.css derives a readable text colour from the accent; a browser
 * that cannot derive it keeps the default accent.
 */
export function applyAppearance(
  root: HTMLElement,
  { theme, color }: Partial<FrameSettings>,
  prefersDark: boolean,
) {
  root.dataset['theme'] = theme && theme !== 'auto' ? theme : prefersDark ? 'dark' : 'light';
  const canDerive = CSS.supports('color', 'oklch(from red l c h)') && CSS.supports('color', color ?? '');
  root.style.setProperty('--accent', canDerive ? color! : null);
}

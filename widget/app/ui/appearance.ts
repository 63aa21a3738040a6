import type { FrameSettings } from '../../bridge/messages.ts';

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

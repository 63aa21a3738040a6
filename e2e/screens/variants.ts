import type { PlaywrightTestOptions } from '@playwright/test';
import type { copies } from './copy.ts';

/** How a screen may be met. */
export interface Variant {
  name: string;
  language: keyof typeof copies;
  use: Pick<PlaywrightTestOptions, 'colorScheme' | 'viewport' | 'hasTouch' | 'isMobile'>;
}

/** Wide enough that the panel does not fill it as on a phone. */
const desktop = {
  viewport: { width: 500, height: 760 },
  colorScheme: 'light' as const,
  hasTouch: false,
  isMobile: false,
};

export const variants: Variant[] = [
  { name: 'light', language: 'en', use: desktop },
  { name: 'dark', language: 'en', use: { ...desktop, colorScheme: 'dark' } },
  { name: 'rtl', language: 'ar', use: desktop },
  {
    name: 'phone',
    language: 'en',
    use: { ...desktop, viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true },
  },
];

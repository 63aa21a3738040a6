import type { Sentences } from './sentences.ts';

/** A customer in front of a browser, for every driver. Controls are found by their accessible names. */
export interface Customer {
  goto(url: string): Promise<void>;
  /** Opens the panel by its launcher; answers the sentences that the panel speaks. */
  open(): Promise<Sentences>;
  write(field: string, text: string): Promise<void>;
  press(button: string): Promise<void>;
  /** All that the panel shows as text. */
  reads(): Promise<string>;
  /** Which way the panel runs. */
  direction(): Promise<string>;
  /** What the policies of host page and panel have refused; of the panel, since it was opened. */
  violations(): Promise<string[]>;
}

export const launcherSelector = 'button[aria-haspopup="dialog"]';
export const frameSelector = 'iframe';

/** Scripts that every driver can run, since they are plain text. */
export const scripts = {
  sentences: "return document.getElementById('sentences').textContent",
  reads: 'return document.body.innerText',
  direction: 'return getComputedStyle(document.documentElement).direction',
  violations: 'return window.violations ?? []',
  watch: `window.violations = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      violations.push([effectiveDirective, blockedURI, sample].join(' ')))`,
} as const;

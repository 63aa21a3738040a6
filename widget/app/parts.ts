import { Component } from 'preact';
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
import type { Sentences } from './i18n/words.ts';
import type * as Rest from './rest.ts';
import type { LoadAccount } from './state/account.ts';
import { computed, effect, signal, untracked } from './state/signal.ts';

/** What the scripts export that the build makes beside the document: see `scripts/build/parts.ts`. */
interface PartModules {
  rest: typeof Rest & OwnSentences;
  account: { createAccount: Awaited<ReturnType<LoadAccount>> } & OwnSentences;
}

/** Those that only its views show, in the document's language. */
interface OwnSentences {
  sentences: Partial<Sentences>;
}

/** Makes the document's own copies of what must not be there twice known to the parts. */
export function lend() {
  Object.assign(globalThis, {
    deskside: { Component, Fragment, jsx, jsxs, computed, effect, signal, untracked },
  });
}

/** Imports the script whose path the document names. */
export const importPart =
  <Name extends keyof PartModules>(name: Name, root: HTMLElement) =>
  (attempt: number): Promise<PartModules[Name]> =>
    // A failure may be remembered for as long as the page lives, so another attempt has an address of its own.
    import(/* @vite-ignore */ root.dataset[name] + (attempt > 1 ? `?${attempt}` : ''));

import { Component } from 'preact';
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
import type { Sentences } from './i18n/words.ts';
import type * as Rest from './rest.ts';
import type { LoadAccount } from './state/account.ts';
import { ScriptGone } from './state/part.ts';
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

/** How long the BFF may take to say whether it has a script. */
const askMs = 10_000;

/** Makes the document's own copies of what must not be there twice known to the parts. */
export function lend() {
  Object.assign(globalThis, {
    deskside: { Component, Fragment, jsx, jsxs, computed, effect, signal, untracked },
  });
}

/**
 * Imports the script whose path the document names.
 * @throws {ScriptGone} when the BFF does not have it any more
 */
export const importPart =
  <Name extends keyof PartModules>(name: Name, root: HTMLElement) =>
  async (attempt: number): Promise<PartModules[Name]> => {
    // A failure may be remembered for as long as the page lives, so another attempt has an address of its own.
    const path = root.dataset[name] + (attempt > 1 ? `?${attempt}` : '');
    try {
      return await import(/* @vite-ignore */ path);
    } catch (error) {
      // An import does not tell why it failed; whoever wants to try again need not wait for long.
      const { status } = await fetch(path, { method: 'HEAD', signal: AbortSignal.timeout(askMs) });
      throw status === 404 ? new ScriptGone() : error;
    }
  };

import type { TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';

/** The keys that send, as named on this keyboard. */
export const sendKeys = /Mac|iP/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl + Enter';

/** The `keyCode` of a key for an input method. `isComposing` is false for the one that ends a word in Safari. */
export const inInputMethod = 229;

/**
 * Ctrl or Cmd with Enter submits the form, but not while an input method composes a word.
 * @param isEnterEnough Enter alone submits too; with Shift it inserts a line break
 */
export function submitOnSendKey(event: TargetedKeyboardEvent<HTMLElement>, isEnterEnough = false) {
  const isSendKey = event.ctrlKey || event.metaKey || (isEnterEnough && !event.shiftKey);
  if (event.key !== 'Enter' || !isSendKey || event.keyCode === inInputMethod) return;
  event.preventDefault();
  event.currentTarget.closest('form')?.requestSubmit();
}

/** The value of a field of the form that was submitted. */
export const readField = ({ currentTarget }: TargetedSubmitEvent<HTMLFormElement>, name: string): string =>
  (currentTarget.elements.namedItem(name) as HTMLInputElement).value;

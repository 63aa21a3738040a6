import type { TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';

/** The keys that send, as named on this keyboard. */
export const sendKeys = /Mac|iP/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl + Enter';

/** Ctrl or Cmd with Enter submits the form, but not while an input method composes a word. */
export function submitOnSendKey(event: TargetedKeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** The value of a field of the form that was submitted. */
export const readField = ({ currentTarget }: TargetedSubmitEvent<HTMLFormElement>, name: string): string =>
  (currentTarget.elements.namedItem(name) as HTMLInputElement).value;

import type { TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';

/** The keys that send, as this customer's keyboard names them. */
export const sendKeys = /Mac|iP/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl + Enter';

/** Ctrl or Cmd with Enter submits the form; never the Enter that ends a word in an input method. */
export function submitOnSendKey(event: TargetedKeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** What stands in a field of the form that an event came from. */
export const readField = ({ currentTarget }: TargetedSubmitEvent<HTMLFormElement>, name: string): string =>
  (currentTarget.elements.namedItem(name) as HTMLInputElement).value;

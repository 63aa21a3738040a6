import type { Sentences } from '../sentences/sentences.ts';

/**
 * Ctrl+Enter, and Cmd+Enter on a Mac, sends the text that is being written.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function sendByKeyboard(texts: Sentences['script']): void {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  for (const text of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-send]')) {
    const button = document.getElementById(text.dataset['send']!) as HTMLButtonElement;
    button.title = isMac ? texts.sendKeysOnMac : texts.sendKeys;
    button.setAttribute('aria-keyshortcuts', 'Control+Enter Meta+Enter');
    text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing || event.repeat)
        return;
      event.preventDefault();
      button.form!.requestSubmit(button);
    });
  }
}

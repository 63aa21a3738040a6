export interface Action {
  label: string;
  run: () => void;
}

/** Shows a text in the page's status line; an empty text clears it. */
export type Announce = (text: string, action?: Action) => void;

/**
 * A text without an action disappears after a while. A text with an action stays.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function createAnnounce(): Announce {
  const line = document.getElementById('live');
  let clearing: ReturnType<typeof setTimeout> | undefined;
  return (text, action) => {
    clearTimeout(clearing);
    line?.replaceChildren(text);
    if (action) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = action.label;
      button.addEventListener('click', () => {
        line?.replaceChildren();
        action.run();
      });
      line?.append(button);
    } else clearing = setTimeout(() => line?.replaceChildren(), 10_000);
  };
}

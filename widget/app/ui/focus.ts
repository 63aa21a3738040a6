/** Moves focus to the first of the places that the view on screen names for it. */
export function focusView(root: HTMLElement) {
  for (const place of ['summary', 'row', 'field', 'heading']) {
    // With a finger a field would raise the keyboard over what there is to read.
    if (place === 'field' && matchMedia('(pointer: coarse)').matches) continue;
    const element = root.querySelector<HTMLElement>(`[data-focus=${place}]`);
    element?.focus();
    if (element) break;
  }
}

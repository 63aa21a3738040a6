/**
 * Single keys: they search, go through the list, open a ticket, and start an answer. Never while somebody types, never
 * with Ctrl, Alt or Cmd, and not at all where this browser's agent has turned them off.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function useKeys(): void {
  const storeKey = 'desk-keys';
  const dialog = document.querySelector<HTMLDialogElement>('#keys');
  const button = document.querySelector<HTMLButtonElement>('#show-keys');
  const isOn = document.querySelector<HTMLInputElement>('#keys-on');
  if (!dialog || !button || !isOn) return;
  isOn.checked = true;
  try {
    isOn.checked = localStorage.getItem(storeKey) !== 'off';
  } catch {
    // Denied storage counts as empty.
  }
  isOn.addEventListener('change', () => {
    try {
      localStorage.setItem(storeKey, isOn.checked ? 'on' : 'off');
    } catch {
      // The choice is kept on this page only.
    }
  });
  const help = () => dialog.showModal();
  button.hidden = false;
  button.addEventListener('click', help);

  const links = () => [...document.querySelectorAll<HTMLAnchorElement>('#list .tickets a')];
  const focused = () => links().findIndex((link) => link === document.activeElement);
  const move = (step: 1 | -1) => {
    const at = focused();
    links()[at < 0 ? 0 : at + step]?.focus();
  };
  const search = () => {
    const field = document.querySelector<HTMLInputElement>('#search');
    if (field) field.select();
    else location.assign('/desk#search');
  };
  const actions: Partial<Record<string, () => void>> = {
    '/': search,
    j: () => move(1),
    k: () => move(-1),
    o: () => links()[focused()]?.click(),
    r: () => document.getElementById('answer')?.focus(),
    s: () => document.getElementById('open-saved')?.click(),
    '?': help,
  };
  document.addEventListener('keydown', (event) => {
    const run = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (!run || !isOn.checked || event.defaultPrevented || event.isComposing) return;
    // Shift makes `/` and `?` on many keyboards.
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const isTyping = (event.target as Element).closest('input, textarea, select, [contenteditable]');
    if (isTyping || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    run();
  });
}

const NAME = 'deskside-widget';

/**
 * Defines `<deskside-widget>`. A page cannot undefine an element, so the class belongs to no one widget: it dispatches an
 * event that the running widget listens for.
 */
export function defineInline(): void {
  if (customElements.get(NAME)) return;
  customElements.define(
    NAME,
    class extends HTMLElement {
      connectedCallback() {
        this.dispatchEvent(new Event('deskside:mount'));
      }
    },
  );
}

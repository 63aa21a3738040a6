/** The element, and the event by which it says that it has been added to the page. */
export const inlineName = 'deskside-widget';

/**
 * Defines `<deskside-widget>`. A page cannot undefine an element, so the class belongs to no one widget: it dispatches an
 * event that the running widget listens for.
 */
export function defineInline(): void {
  if (customElements.get(inlineName)) return;
  customElements.define(
    inlineName,
    class extends HTMLElement {
      connectedCallback() {
        this.dispatchEvent(new Event(inlineName));
      }
    },
  );
}

import { attempt } from '../bridge/fields.ts';

/** The element, and the event by which it says that it has been added to the page. */
export const inlineName = 'deskside-widget';

/**
 * Defines `<deskside-widget>`, unless a former widget has. A page cannot undefine an element, so the class belongs to no one widget: it dispatches an
 * event that the running widget listens for.
 */
export function defineInline(): void {
  attempt(() =>
    customElements.define(
      inlineName,
      class extends HTMLElement {
        connectedCallback() {
          // Old libraries put something else in the place of `Event`.
          this.dispatchEvent(new CustomEvent(inlineName));
        }
      },
    ),
  );
}

const NAME = 'deskside-widget';

/** Makes `<deskside-widget>` known. No page can forget an element's class, so this one asks for the widget that is there. */
export function defineInline(): void {
  if (customElements.get(NAME)) return;
  customElements.define(
    NAME,
    class extends HTMLElement {
      connectedCallback() {
        window.Deskside?.('inline', this);
      }

      disconnectedCallback() {
        this.connectedCallback();
      }
    },
  );
}

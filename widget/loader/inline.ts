const NAME = 'deskside-widget';

/** Makes `<deskside-widget>` known. No page can forget an element's class, so it tells whichever widget there is. */
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

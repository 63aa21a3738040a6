import { asFlag } from '../bridge/messages.ts';
import type { Core } from '../loader/guest.ts';

/** The number of unread messages before the page's title, if the site wants it, whatever title the page takes. */
export function createTitleBadge({ settings, signal }: Core) {
  let prefix = '';
  let count = 0;

  function paint() {
    const { title } = document;
    const own = prefix && title.startsWith(prefix) ? title.slice(prefix.length) : title;
    prefix = count && asFlag(settings.titleBadge) ? `(${count}) ` : '';
    if (title !== prefix + own) document.title = prefix + own;
  }
  const observer = new MutationObserver(paint);
  const watch = () => {
    observer.disconnect();
    if (prefix) observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  };

  signal.addEventListener('abort', () => {
    count = 0;
    paint();
    watch();
  });
  return (_isOpen: boolean, unread: number) => {
    count = unread;
    paint();
    watch();
  };
}

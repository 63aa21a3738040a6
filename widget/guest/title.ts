import { asFlag } from '../bridge/messages.ts';
import { createBudget } from './budget.ts';
import type { Core } from '../loader/guest.ts';

/** The number of unread messages before the page's title, if the site wants it, whatever title the page takes. */
export function createTitleBadge({ settings, signal }: Core) {
  let prefix = '';
  let count = 0;

  function paint() {
    const { title } = document;
    const next = count && asFlag(settings.titleBadge) ? `(${count}) ` : '';
    // Where another script has put its own before it, there it stays.
    if (next === prefix && title.includes(prefix)) return;
    const own = title.replace(prefix, '');
    prefix = next;
    document.title = prefix + own;
  }
  const mayAct = createBudget();
  const observer = new MutationObserver(() => document.title.includes(prefix) || (mayAct() && paint()));
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

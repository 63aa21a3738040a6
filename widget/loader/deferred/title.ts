import { createBudget } from './budget.ts';
import { documentPrototype, safeDocument } from '../dom.ts';
import type { Core } from '../deferred.ts';

/** Shows the number of unread messages before the page's title, if the site wants it, and keeps it when the title changes. */
export function createTitleBadge({ settings, signal }: Core) {
  let prefix = '';
  let count = 0;

  function paint() {
    const { title } = safeDocument;
    const next = count && settings.titleBadge ? `(${count}) ` : '';
    // The prefix may be in the middle: another script may have put its own before it.
    if (next === prefix && title.includes(prefix)) return;
    const own = title.replace(prefix, '');
    prefix = next;
    // oxlint-disable-next-line no-restricted-globals -- the write that matches a read of `safeDocument`
    Reflect.set(documentPrototype(), 'title', prefix + own, document);
  }
  const mayAct = createBudget();
  const observer = new MutationObserver(() => safeDocument.title.includes(prefix) || (mayAct() && paint()));
  const watch = () => {
    observer.disconnect();
    if (prefix) observer.observe(safeDocument.head, { childList: true, subtree: true, characterData: true });
  };

  signal.addEventListener('abort', () => {
    count = 0;
    paint();
    watch();
  });
  return {
    /** The page's own title. */
    own: () => safeDocument.title.replace(prefix, ''),
    render(_isOpen: boolean, unread: number) {
      count = unread;
      paint();
      watch();
    },
  };
}

import type { Sentences } from '../sentences/sentences.ts';
import type { Announce } from './announce.ts';
import type { TakeOver } from './poll.ts';

/**
 * Adds new and changed tickets to the list. While the pointer or the focus is in the list, the list does not change:
 * the change is announced, and the agent applies it. The browser runs the text of this function (`../script.ts`), so it
 * uses nothing from outside itself.
 */
export function followList(texts: Sentences['script'], announce: Announce, showTimes: () => void): TakeOver {
  let waiting: Document | null = null;
  const list = () => document.getElementById('list')!;
  const rows = (page: Document) => [...page.querySelectorAll<HTMLElement>('#list li[data-version]')];
  const isInUse = () => list().matches(':hover, :focus-within');

  const show = () => {
    if (!waiting) return;
    const known = new Map(rows(document).map((row) => [row.id, row.dataset['version']]));
    const changed = rows(waiting).filter((row) => known.get(row.id) !== row.dataset['version']);
    for (const row of changed) row.classList.add('arrived');
    // The row at the top of the window keeps its place.
    const anchor =
      scrollY > 0 ? rows(document).find((row) => row.getBoundingClientRect().bottom > 0) : undefined;
    const top = anchor?.getBoundingClientRect().top ?? 0;
    list().replaceWith(waiting.getElementById('list')!);
    const moved = anchor && document.getElementById(anchor.id);
    if (moved) scrollBy(0, moved.getBoundingClientRect().top - top);
    waiting = null;
    showTimes();
    watch();
  };
  const announceChange = (action?: Parameters<Announce>[1]) => {
    const known = new Map(rows(document).map((row) => [row.id, row.dataset['version']]));
    const count = rows(waiting!).filter((row) => known.get(row.id) !== row.dataset['version']).length;
    if (count > 0) announce(texts.ticketsChanged(count), action);
    else if (action) announce(texts.listChanged, action);
  };
  // Delayed, since no element has the focus while it moves.
  const showWhenLeft = () =>
    setTimeout(() => {
      if (!waiting || isInUse()) return;
      announce('');
      show();
    });
  const watch = () => {
    list().addEventListener('pointerleave', showWhenLeft);
    list().addEventListener('focusout', showWhenLeft);
  };
  watch();

  return (next) => {
    const counts = next.querySelectorAll('#tabs .count');
    for (const [index, count] of document.querySelectorAll('#tabs .count').entries())
      count.textContent = counts[index]?.textContent ?? '';
    waiting = next;
    if (isInUse()) announceChange({ label: texts.show, run: show });
    else {
      announceChange();
      show();
    }
  };
}

import type { Sentences } from '../sentences/sentences.ts';
import type { Announce } from './announce.ts';
import type { TakeOver } from './poll.ts';

/**
 * Adds new messages to the conversation and updates what is beside it. What the agent writes or has chosen stays, and
 * nothing moves on the screen.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function followTicket(
  texts: Sentences['script'],
  announce: Announce,
  showTimes: () => void,
): TakeOver {
  const renewed = ['head', 'merges', 'assignment', 'others'];

  const renew = (next: Document, id: string) => {
    const [old, fresh] = [document.getElementById(id), next.getElementById(id)];
    if (old && fresh && !old.contains(document.activeElement)) old.replaceWith(fresh);
  };
  const renewStatus = (next: Document) => {
    const status = document.querySelector<HTMLSelectElement>('select#status');
    const fresh = next.querySelector<HTMLSelectElement>('select#status');
    const isChosen = [...(status?.options ?? [])].some(
      (option) => option.selected !== option.defaultSelected,
    );
    if (!status || !fresh || isChosen) return;
    for (const option of status.options) option.defaultSelected = option.value === fresh.value;
    status.value = fresh.value;
  };
  /** The element that must not move: the field with the focus, else the first entry on the screen. */
  const findAnchor = () => {
    const focused = document.activeElement;
    if (focused?.closest('.write, .about-ticket')) return focused;
    return [...document.querySelectorAll('.entry, .write')].find(
      (part) => part.getBoundingClientRect().bottom > 0,
    );
  };

  /** An arrived message counts as seen once it has been on the screen, and with it those before it. */
  const observer = new IntersectionObserver((changes) => {
    const seen = document.querySelector<HTMLInputElement>('input[name="seen"]')!;
    const publicIds = [...document.querySelectorAll('.entry:not(.entry-note)')].map(({ id }) => id);
    const placeOf = (id: string) => publicIds.indexOf(`message-${id}`);
    for (const { target, isIntersecting } of changes) {
      const id = target.id.slice('message-'.length);
      if (isIntersecting && placeOf(id) > placeOf(seen.value)) seen.value = id;
    }
  });

  return (next) => {
    const arrived = [...next.querySelectorAll<HTMLElement>('.conversation > li')].filter(
      ({ id }) => !document.getElementById(id),
    );
    const anchor = findAnchor();
    const top = anchor?.getBoundingClientRect().top ?? 0;
    for (const entry of arrived) entry.classList.add('arrived');
    document.querySelector('.conversation')!.append(...arrived);
    for (const id of renewed) renew(next, id);
    renewStatus(next);
    const here = document.getElementById('here');
    const hereNow = next.getElementById('here')?.textContent ?? '';
    // Set in place and only when it differs, since a screen reader reads each change.
    if (here && here.textContent !== hereNow) here.textContent = hereNow;
    showTimes();
    for (const entry of arrived) observer.observe(entry);
    if (anchor?.isConnected) scrollBy(0, anchor.getBoundingClientRect().top - top);
    if (document.getElementById('answer') && !next.getElementById('answer')) {
      announce(texts.merged);
      return;
    }
    const [first] = arrived;
    if (!first) return;
    const author = first.querySelector('strong')?.textContent ?? '';
    announce(arrived.length === 1 ? texts.newMessage(author) : texts.newMessages(arrived.length), {
      label: texts.show,
      run: () => first.scrollIntoView({ block: 'nearest' }),
    });
  };
}

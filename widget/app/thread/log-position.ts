/** The distance of an element from the top of the visible part of the log, in CSS pixels. */
export const topIn = (log: Element, element: Element): number =>
  element.getBoundingClientRect().top - log.getBoundingClientRect().top;

/** The `scrollTop` of the log at which its first line is the one above the new messages; null without new messages. */
export function scrollTopOfNew(log: Element): number | null {
  const line = log.querySelector('.new');
  return line && log.scrollTop + topIn(log, line.parentElement!);
}

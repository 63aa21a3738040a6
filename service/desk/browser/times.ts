import type { Times } from '../views/time.ts';

/**
 * Writes all times of the page in the reader's zone, and again every half minute. The returned function does it at once.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function showLocalTimes(write: Times): () => void {
  const show = () => {
    const now = new Date();
    for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-shown]')) {
      const full = write.fullTime(time.dateTime, true);
      const text = time.dataset['shown'] === 'ago' ? write.ago(time.dateTime, now, true) : full;
      if (time.textContent !== text) time.textContent = text;
      if (time.dataset['shown'] === 'ago') time.title = full;
    }
  };
  show();
  setInterval(show, 30_000);
  return show;
}

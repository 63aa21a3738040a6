import { hoursPath } from '../../../shared/contract/paths.ts';
import type { PageHours } from '../../../shared/contract/site.ts';
import type { Core } from '../deferred.ts';
import type { Check } from '../api.ts';
import { readUse } from '../used.ts';

const LONGEST_WAIT_MS = 3_000;

export const importModule = (href: string): Promise<{ default: PageHours | null }> =>
  import(/* @vite-ignore */ href);

/**
 * Hides the launcher outside the hours of support, if the site wants it. The BFF says in a module whether it is closed: the
 * page's policy admits that as it admits this script, and the customer's clock does not count. What `articles` means, the
 * app knows.
 */
export function createHours({ bff, settings, signal, render }: Core, importHours = importModule) {
  /** Undefined until they are known; null if there are none, or they did not come. */
  let hours: PageHours | null | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isSet = () => /hide|articles/.test(settings.whenClosed!);
  /** Why it has no effect, in a sentence. */
  function missing(): string | undefined {
    if (!hours) return '“whenClosed” needs SUPPORT_HOURS and /hours.js.';
    if (settings.whenClosed === 'articles' && !hours.hasArticles) return '“whenClosed” needs ARTICLES_DIR.';
  }

  const draw = () => {
    if (!signal.aborted) render();
  };

  async function ask() {
    if (signal.aborted) return;
    // Another address each minute: a browser that restores a page takes what it has, however old that is.
    const href = `${bff}${hoursPath}?${Math.floor(Date.now() / 60_000)}`;
    const found = await importHours(href).catch(() => null);
    clearTimeout(timer);
    hours = found?.default ?? null;
    // oxlint-disable-next-line no-console -- for the page's developer
    if (missing()) console.warn(`Deskside: ${missing()}`);
    else timer = setTimeout(ask, hours!.askAgainMs);
    draw();
  }

  return {
    /** Whether the launcher is hidden; also until the hours are known. Who has a conversation here waits for an answer. */
    isAway: () =>
      settings.whenClosed === 'hide' && readUse() !== '1' && (hours ? !hours.isOpen : hours === undefined),
    render() {
      if (timer || !isSet()) return;
      timer = setTimeout(() => {
        hours = null;
        draw();
      }, LONGEST_WAIT_MS);
      void ask();
    },
    /** For the self-check: whether it works, and what it does now. Empty unless it is set. */
    check(): Check[] {
      const fault = missing();
      const effect = () =>
        hours!.isOpen
          ? 'Support is open.'
          : readUse() === '1'
            ? 'Closed, but there is a conversation.'
            : 'Support is closed.';
      return isSet()
        ? [{ name: 'Hours', ok: hours === undefined ? null : !fault, hint: fault ?? effect() }]
        : [];
    },
  };
}

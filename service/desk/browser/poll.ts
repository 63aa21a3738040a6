import type { Sentences } from '../sentences/sentences.ts';
import type { Announce } from './announce.ts';

/** Applies what has changed in a page that was fetched again. */
export type TakeOver = (next: Document) => void;

/**
 * Asks every few seconds whether the list or the ticket has changed, rarely while nobody looks at the tab. The server
 * sends the page again only when its version has changed. It also tells the server what the agent does here.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function followPage(texts: Sentences['script'], announce: Announce, takeOver: TakeOver): void {
  const main = document.querySelector<HTMLElement>('main[data-version]');
  if (!main) return;
  const mark = '● ';
  let wroteAt = Number.NEGATIVE_INFINITY;
  document.getElementById('answer')?.addEventListener('input', () => {
    wroteAt = Date.now();
  });
  const activity = () => (document.hidden ? 'away' : Date.now() - wroteAt < 6000 ? 'writing' : 'looking');
  let failures = 0;
  let isAsking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ask = async () => {
    const response = await fetch(main.dataset['source']!, {
      headers: { 'X-Desk-Version': main.dataset['version']!, 'X-Desk-Here': activity() },
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    });
    if (response.type === 'opaqueredirect') return 'signed-out';
    if (response.status === 204) return 'unchanged';
    if (!response.ok) throw new Error(`the desk answered ${response.status}`);
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const newsOf = (version: string) => version.split('.')[0];
    const version = next.querySelector<HTMLElement>('main')!.dataset['version']!;
    const isNews = newsOf(version) !== newsOf(main.dataset['version']!);
    main.dataset['version'] = version;
    takeOver(next);
    const isMarked = document.hidden && (isNews || document.title.startsWith(mark));
    document.title = isMarked ? mark + next.title : next.title;
    return 'changed';
  };
  const poll = async () => {
    if (isAsking) return;
    isAsking = true;
    clearTimeout(timer);
    const result = await ask().catch(() => 'failed' as const);
    isAsking = false;
    if (result === 'signed-out') {
      announce(texts.signedOut, { label: texts.signIn, run: () => location.assign('/desk/sign-in') });
      return;
    }
    if (result === 'failed') failures += 1;
    else {
      if (failures > 2) announce(texts.upToDate);
      failures = 0;
    }
    if (failures === 3) announce(texts.notUpToDate, { label: texts.tryNow, run: () => void poll() });
    timer = setTimeout(() => void poll(), document.hidden ? 30_000 : 3000 * Math.min(failures + 1, 10));
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    if (document.title.startsWith(mark)) document.title = document.title.slice(mark.length);
    void poll();
  });
  timer = setTimeout(() => void poll(), 3000);
}

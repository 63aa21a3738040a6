import { maxLength } from '../../bff/contract/limits.ts';
import { paths } from '../../bff/contract/paths.ts';
import { refusal, unreadable } from './refusal.ts';
import { chippedId, everyState, known, longThread, oneThread } from './scenes.ts';
import type { Screen, Visit } from './visit.ts';

const inThread = { ticket: chippedId };

/**
 * Scrolls the message that begins with `text` to the upper edge. Content off screen has no size of its own yet, and the
 * page moves when it gets one. So scrolling starts at the end, and is repeated until nothing moves any more.
 */
async function readFrom({ app }: Visit, text: string): Promise<void> {
  const message = app.locator('.message', { hasText: text });
  await message.evaluate(async (element) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    element.closest('.log')!.scrollTo(0, 0);
    await frame();
    await frame();
    for (let top = NaN, next; (next = element.getBoundingClientRect().top) !== top; top = next) {
      element.scrollIntoView({ block: 'start' });
      await frame();
      await frame();
    }
  });
}

/** One conversation, in every state. */
export const threadScreens: Screen[] = [
  {
    name: 'thread',
    async reach(visit) {
      await visit.arrive(oneThread(visit.copy));
      await visit.open(inThread);
      await visit.app.getByText(visit.copy.thanks).waitFor();
    },
  },
  {
    name: 'thread-every-state',
    async reach(visit) {
      await visit.arrive(everyState(visit.copy));
      await visit.open(inThread);
      await visit.see('hidden');
    },
  },
  {
    name: 'thread-scrolled-up',
    async reach(visit) {
      await visit.arrive(longThread(visit.copy, 40));
      await visit.open(inThread);
      // Drawn last.
      await visit.app.getByText(/^1\. /).waitFor({ state: 'attached' });
      await readFrom(visit, '29. ');
      await visit.see('newest');
    },
  },
  {
    name: 'thread-moved',
    async reach(visit) {
      await visit.arrive(oneThread(visit.copy, { closed: true }));
      await visit.open(inThread);
      await visit.see('movedHint');
    },
  },
  {
    name: 'thread-stale',
    async reach(visit) {
      await visit.arrive({ ...oneThread(visit.copy, { read_at: null }), isFresh: false });
      await visit.open(inThread);
      await visit.see('stale');
    },
  },
  {
    name: 'thread-near-limit',
    async reach(visit) {
      await visit.arrive(oneThread(visit.copy));
      await visit.open(inThread);
      await visit.app.getByText(visit.copy.thanks).waitFor();
      const text = `${visit.copy.question} `.repeat(maxLength.body).slice(0, maxLength.body - 7);
      await visit.app.getByRole('textbox').fill(text);
      await visit.app.locator('#reply-count').waitFor();
    },
  },
  {
    name: 'thread-reconnecting',
    async reach(visit) {
      const scene = oneThread(visit.copy);
      await visit.arrive(scene);
      await visit.open(inThread);
      await visit.app.getByText(visit.copy.thanks).waitFor();
      visit.bff.show({ ...scene, answers: unreadable() });
      visit.bff.cut();
      await visit.see('reconnecting');
    },
  },
  {
    name: 'thread-offline',
    async reach(visit) {
      await visit.arrive(oneThread(visit.copy));
      await visit.open(inThread);
      await visit.app.getByText(visit.copy.thanks).waitFor();
      await visit.context.setOffline(true);
      await visit.app.getByRole('textbox').fill(visit.copy.question);
      await visit.press('sendReply');
      await visit.see('offline');
    },
  },
  {
    name: 'thread-part-failed',
    async reach(visit) {
      await visit.page.route('**/assets/conversation-*', (route) => route.abort());
      await visit.page.route('**/frame*', (route) =>
        route.request().method() === 'HEAD' ? route.abort() : route.fallback(),
      );
      await visit.arrive(oneThread(visit.copy));
      await visit.open(inThread);
      await visit.see('loadFailed');
    },
  },
  {
    name: 'thread-failed',
    async reach(visit) {
      const answers = { [`GET ${paths.ticket(chippedId)}`]: refusal(503, 'upstream_unavailable') };
      await visit.arrive({ ...oneThread(visit.copy), answers });
      await visit.open(inThread);
      await visit.see('loadFailed');
    },
  },
  {
    name: 'thread-not-found',
    async reach(visit) {
      await visit.arrive({ session: known(visit.copy), tickets: [] });
      await visit.open(inThread);
      await visit.see('findHint');
    },
  },
];

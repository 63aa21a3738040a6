import { paths } from '../../bff/contract/paths.ts';
import type { Handoff } from '../../bff/contract/session.ts';
import { encode } from 'uqr';
import type { CannedAnswer } from './canned-bff.ts';
import {
  chippedId,
  everyState,
  known,
  longThread,
  noTickets,
  now,
  oneThread,
  someTickets,
} from './scenes.ts';
import type { Visit } from './visit.ts';

/** One thing that the widget can show, and the way there. */
export interface Screen {
  name: string;
  reach(visit: Visit): Promise<void>;
}

const refusal = (status: number, code: string, more: object = {}): CannedAnswer => ({
  status,
  body: { error: { code, message: 'for developers', request_id: '-', ...more } },
});

const handoffUrl = 'https://support.example.com/#handoff=c2VjcmV0LXNlY3JldC1zZWNyZXQ';

function handoff(state: Handoff['state']): Record<string, CannedAnswer> {
  const offer: Handoff = { state, number: state === 'asked' ? '42' : null, expires_at: now.toISOString() };
  const qr = encode(handoffUrl, { ecc: 'M', border: 2 }).data.map((row) =>
    row.map((isDark) => (isDark ? '1' : '0')).join(''),
  );
  return {
    [`POST ${paths.handoff}`]: { status: 200, body: { data: { ...offer, url: handoffUrl, qr } } },
    [`GET ${paths.handoff}`]: { status: 200, body: { data: offer } },
  };
}

const inThread = { ticket: chippedId };

async function fillForm({ app, copy }: Visit): Promise<void> {
  await app.locator('#customer_email').fill('ada@example.com');
  await app.locator('#subject').fill(copy.subjects.chipped);
  await app.locator('#description').fill(copy.problem);
}

/** Asks for a code under an address. */
async function askForCode(visit: Visit): Promise<void> {
  await visit.press('find');
  await visit.app.locator('#email').fill('ada@example.com');
  await visit.press('sendCode');
  await visit.app.locator('#code').waitFor();
}

/** Every screen, for pictures and for axe: what is added here is looked at by both. */
export const screens: Screen[] = [
  {
    name: 'launcher',
    async reach(visit) {
      await visit.arrive(noTickets(visit.copy));
      await visit.launcher.waitFor();
    },
  },
  {
    name: 'launcher-unread',
    async reach(visit) {
      await visit.page.addInitScript("localStorage.setItem('deskside:used', '1')");
      await visit.arrive(someTickets(visit.copy));
      await visit.launcher.filter({ hasText: '1' }).waitFor();
    },
  },
  {
    name: 'new-answer-while-closed',
    async reach(visit) {
      const scene = oneThread(visit.copy);
      const { messages: _, read_at: _at, closed: _closed, ...ticket } = scene.tickets[0]!;
      await visit.arrive(scene);
      await visit.open();
      await visit.app.getByText(ticket.subject).waitFor();
      await visit.page.keyboard.press('Escape');
      visit.bff.push('ticket', { ...ticket, unread: 1 });
      await visit.launcher.filter({ hasText: '1' }).waitFor();
    },
  },
  {
    name: 'form',
    async reach(visit) {
      await visit.arrive(noTickets(visit.copy), { priority: true });
      await visit.open();
      await visit.see('fields.priority');
    },
  },
  {
    name: 'form-with-faults',
    async reach(visit) {
      await visit.arrive(noTickets(visit.copy));
      await visit.open();
      await visit.app.locator('#customer_email').fill('ada at example');
      await visit.app.locator('#subject').fill('x'.repeat(290));
      await visit.press('send');
      await visit.see('errors.invalid_request');
    },
  },
  {
    name: 'rate-limited',
    async reach(visit) {
      const answers = { [`POST ${paths.tickets}`]: refusal(429, 'rate_limited', { retry_after: 1_800 }) };
      await visit.arrive({ ...noTickets(visit.copy), answers });
      await visit.open();
      await fillForm(visit);
      await visit.press('send');
      await visit.see('errors.rate_limited');
    },
  },
  {
    name: 'form-again',
    async reach(visit) {
      await visit.arrive(someTickets(visit.copy));
      await visit.open({ view: 'new' });
      await fillForm(visit);
    },
  },
  {
    name: 'list',
    async reach(visit) {
      await visit.arrive(someTickets(visit.copy));
      await visit.open();
      await visit.app.getByText(visit.copy.subjects.refund).waitFor();
    },
  },
  {
    name: 'list-loading',
    async reach(visit) {
      await visit.arrive({ ...someTickets(visit.copy), isListHeld: true });
      await visit.open();
      await visit.see('loading');
    },
  },
  {
    name: 'claim',
    async reach(visit) {
      const session = known(visit.copy, {
        claimable: 2,
        customer: { email: 'ada@example.com', name: visit.copy.name, verified: true },
      });
      await visit.arrive({ ...someTickets(visit.copy), session });
      await visit.open();
      await visit.see('claim');
    },
  },
  {
    name: 'forget-me',
    async reach(visit) {
      await visit.arrive(oneThread(visit.copy));
      await visit.open();
      await visit.press('forget');
      await visit.see('forgetHint');
    },
  },
  {
    name: 'offline',
    async reach(visit) {
      await visit.arrive(someTickets(visit.copy));
      await visit.open();
      await visit.app.getByText(visit.copy.subjects.refund).waitFor();
      await visit.context.setOffline(true);
      await visit.see('offline');
    },
  },
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
      await visit.app.getByText('40. ').waitFor();
      await visit.app.getByRole('log').evaluate((log) => log.scrollTo(0, -600));
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
      await visit.see('errors.not_found');
    },
  },
  {
    name: 'find',
    async reach(visit) {
      await visit.arrive(noTickets(visit.copy));
      await visit.open();
      await visit.press('find');
      await visit.app.locator('#email').waitFor();
    },
  },
  {
    name: 'code',
    async reach(visit) {
      await visit.arrive(noTickets(visit.copy));
      await visit.open();
      await askForCode(visit);
    },
  },
  {
    name: 'code-wrong',
    async reach(visit) {
      const wrong = refusal(400, 'invalid_request', { fields: { code: 'invalid' } });
      await visit.arrive({ ...noTickets(visit.copy), answers: { [`POST ${paths.codeVerify}`]: wrong } });
      await visit.open();
      await askForCode(visit);
      await visit.app.locator('#code').fill('123456');
      await visit.press('showTickets');
      await visit.see('wrongCode');
    },
  },
  {
    name: 'hand-off',
    async reach(visit) {
      await visit.arrive({ ...oneThread(visit.copy), answers: handoff('offered') });
      await visit.open();
      await visit.press('otherDevice');
      await visit.app.locator('#link').waitFor();
    },
  },
  {
    name: 'hand-off-asked',
    async reach(visit) {
      await visit.arrive({ ...oneThread(visit.copy), answers: handoff('asked') });
      await visit.open();
      await visit.press('otherDevice');
      await visit.see('openThere');
    },
  },
];

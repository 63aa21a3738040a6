import { encode } from 'uqr';
import { accountPaths } from '../../shared/contract/account-paths.ts';
import type { Device } from '../../shared/contract/customer-data.ts';
import { maxLength } from '../../shared/contract/limits.ts';
import { paths } from '../../shared/contract/paths.ts';
import type { Handoff } from '../../shared/contract/session.ts';
import { type CannedAnswer, type Scene, refusal, unreadable } from './canned-bff.ts';
import { underConditions } from './conditions.ts';
import type { Copy } from './copy.ts';
import {
  chippedId,
  everyState,
  known,
  longThread,
  noTickets,
  now,
  oneThread,
  proven,
  someTickets,
} from './scenes.ts';
import type { Screen, Visit } from './visit.ts';

const inThread = { ticket: chippedId };
const refund = ({ subjects }: Copy) => subjects.refund;
const thanks = (copy: Copy) => copy.thanks;
const answering =
  (scene: (copy: Copy) => Scene, answers: Record<string, CannedAnswer>) =>
  (copy: Copy): Scene => ({ ...scene(copy), answers });
const ofSession =
  (session: (copy: Copy) => Parameters<typeof known>[1]) =>
  (copy: Copy): Scene => ({ session: known(copy, session(copy)), tickets: [] });

const abort =
  (pattern: string) =>
  ({ page }: Visit) =>
    page.route(pattern, (route) => route.abort());
/** As a browser that has shown the widget before. */
const usedBefore = ({ page }: Visit) =>
  page.addInitScript("localStorage.setItem('deskside:v1:used', 'true')");

async function fillForm({ app, copy }: Visit): Promise<void> {
  await app.locator('#customer_email').fill('ada@example.com');
  await app.locator('#description').fill(copy.problem);
}

/** The stream ends, and no other one opens. */
async function loseStream({ app, bff }: Visit, scene: Scene, shown: string): Promise<void> {
  await app.getByText(shown).waitFor();
  bff.show({ ...scene, answers: unreadable() });
  bff.cut();
}

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

/** Asks for a code under an address. */
async function askForCode({ app, choose, press }: Visit): Promise<void> {
  await choose('find');
  await app.locator('#email').fill('ada@example.com');
  await press('sendCode');
  await app.locator('#code').waitFor();
}

const handoffUrl = 'https://support.example.com/#handoff=c2VjcmV0LXNlY3JldC1zZWNyZXQ';

function handoff(state: Handoff['state']): Record<string, CannedAnswer> {
  const offer: Handoff = { state, number: state === 'asked' ? '42' : null, expires_at: now.toISOString() };
  const qr = encode(handoffUrl, { ecc: 'M', border: 2 }).data.map((row) =>
    row.map((isDark) => (isDark ? '1' : '0')).join(''),
  );
  return {
    [`POST ${accountPaths.handoff}`]: { status: 200, body: { data: { ...offer, url: handoffUrl, qr } } },
    [`GET ${accountPaths.handoff}`]: { status: 200, body: { data: offer } },
  };
}

/** Signed in, with tickets from before that. */
const offered = (copy: Copy, transferable: number) =>
  known(copy, { transferable, customer: proven(copy, 'ada.lovelace@example.com') });

const devices: Device[] = [
  { created_at: '2026-03-01T09:00:00Z', last_used_at: now.toISOString(), current: true },
  { created_at: '2026-02-11T18:30:00Z', last_used_at: '2026-03-02T08:15:00Z', current: false },
];
const withData = (copy: Copy): Scene => ({
  ...oneThread(copy),
  session: known(copy, { customer: proven(copy) }),
  answers: { [`GET ${accountPaths.devices}`]: { status: 200, body: { data: devices } } },
});

const limited = refusal(429, 'rate_limited', { retry_after: 1_800 });

/** The launcher, and where a customer begins: form and list. */
const start: Screen[] = [
  { name: 'launcher', scene: noTickets, open: false, act: ({ launcher }) => launcher.waitFor() },
  {
    name: 'launcher-unread',
    before: ({ page }) => page.addInitScript("localStorage.setItem('deskside:used', '1')"),
    scene: someTickets,
    open: false,
    act: ({ launcher }) => launcher.filter({ hasText: '2' }).waitFor(),
  },
  {
    name: 'new-answer-while-closed',
    scene: oneThread,
    async act({ app, bff, page, launcher }, { tickets }) {
      const { messages: _, read_at: _at, ...ticket } = tickets[0]!;
      await app.getByText(ticket.subject).waitFor();
      await page.keyboard.press('Escape');
      bff.push('ticket', { ...ticket, unread: 1 });
      await launcher.filter({ hasText: '1' }).waitFor();
    },
    see: 'noPreviews',
  },
  {
    name: 'loader-failed',
    before: abort('**/frame?*'),
    scene: noTickets,
    open: false,
    async act({ launcher, page }) {
      await launcher.click();
      await page.clock.runFor(10_000);
      await page.getByRole('alert').getByRole('button').waitFor();
    },
  },
  { name: 'form', scene: noTickets, settings: { priority: true }, see: 'fields.priority' },
  {
    name: 'form-with-faults',
    scene: noTickets,
    settings: { subject: 'ask' },
    async act({ app, press }) {
      await app.locator('#customer_email').fill('ada at example');
      await app.locator('#subject').fill('x'.repeat(290));
      await press('send');
    },
    see: 'fixFaults',
  },
  {
    name: 'rate-limited',
    scene: answering(noTickets, { [`POST ${paths.tickets}`]: limited }),
    async act(visit) {
      await fillForm(visit);
      await visit.press('send');
    },
    see: 'errors.rate_limited',
  },
  {
    name: 'start-rate-limited',
    scene: answering(noTickets, { [`GET ${paths.session}`]: limited }),
    act: ({ app }) => app.locator('#description').waitFor(),
  },
  { name: 'form-again', scene: someTickets, open: { view: 'new' }, act: fillForm },
  { name: 'list', scene: someTickets, shows: refund },
  { name: 'list-loading', scene: (copy) => ({ ...someTickets(copy), isListHeld: true }), see: 'loading' },
  {
    name: 'list-failed',
    before: usedBefore,
    scene: answering(someTickets, unreadable()),
    see: 'loadFailed',
  },
  {
    name: 'list-part-failed',
    async before(visit) {
      await abort('**/assets/conversation-*')(visit);
      await usedBefore(visit);
    },
    scene: someTickets,
    see: 'outdated',
  },
  {
    name: 'list-reconnecting',
    scene: someTickets,
    act: (visit, scene) => loseStream(visit, scene, refund(visit.copy)),
    see: 'reconnecting',
  },
  {
    name: 'printed',
    scene: someTickets,
    shows: refund,
    async act({ page, launcher }) {
      await page.emulateMedia({ media: 'print' });
      await launcher.waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'offline',
    scene: someTickets,
    shows: refund,
    act: ({ context }) => context.setOffline(true),
    see: 'offline',
  },
];

/** One conversation, in every state. */
const thread: Screen[] = [
  { name: 'thread', scene: oneThread, open: inThread, shows: thanks },
  { name: 'thread-every-state', scene: everyState, open: inThread, see: 'hidden' },
  {
    name: 'thread-scrolled-up',
    scene: (copy) => longThread(copy, 40),
    open: inThread,
    async act(visit) {
      // Drawn last.
      await visit.app.getByText(/^1\. /).waitFor({ state: 'attached' });
      await readFrom(visit, '29. ');
    },
    see: 'newest',
  },
  {
    name: 'thread-moved',
    scene: (copy) => oneThread(copy, { closed: true }),
    open: inThread,
    see: 'movedHint',
  },
  {
    name: 'thread-stale',
    scene: (copy) => ({ ...oneThread(copy, { read_at: null }), isFresh: false }),
    open: inThread,
    see: 'stale',
  },
  {
    name: 'thread-near-limit',
    scene: oneThread,
    open: inThread,
    shows: thanks,
    async act({ app, copy }) {
      const text = `${copy.question} `.repeat(maxLength.body).slice(0, maxLength.body - 7);
      await app.getByRole('textbox').fill(text);
      await app.locator('#reply-count').waitFor();
    },
  },
  {
    name: 'thread-reconnecting',
    scene: oneThread,
    open: inThread,
    act: (visit, scene) => loseStream(visit, scene, visit.copy.thanks),
    see: 'reconnecting',
  },
  {
    name: 'thread-offline',
    scene: oneThread,
    open: inThread,
    shows: thanks,
    async act({ app, context, copy, press }) {
      await context.setOffline(true);
      await app.getByRole('textbox').fill(copy.question);
      await press('sendReply');
    },
    see: 'offline',
  },
  {
    name: 'thread-part-failed',
    async before(visit) {
      await abort('**/assets/conversation-*')(visit);
      await visit.page.route('**/frame*', (route) =>
        route.request().method() === 'HEAD' ? route.abort() : route.fallback(),
      );
    },
    scene: oneThread,
    open: inThread,
    see: 'loadFailed',
  },
  {
    name: 'thread-failed',
    scene: answering(oneThread, { [`GET ${paths.ticket(chippedId)}`]: refusal(503, 'upstream_unavailable') }),
    open: inThread,
    see: 'loadFailed',
  },
  { name: 'thread-not-found', scene: ofSession(() => ({})), open: inThread, see: 'findHint' },
];

/** How customers arrive, prove who they are, move to another device and leave. */
const customer: Screen[] = [
  {
    name: 'claim',
    scene: (copy) => ({
      ...someTickets(copy),
      session: known(copy, { claimable: 2, customer: proven(copy) }),
    }),
    see: 'claim',
  },
  {
    name: 'transfer',
    scene: (copy) => ({ ...someTickets(copy), session: offered(copy, 2) }),
    see: 'transfer',
  },
  {
    name: 'transfer-thread',
    scene: (copy) => ({ session: offered(copy, 1), tickets: [] }),
    open: inThread,
    see: 'transfer',
  },
  { name: 'moved', scene: ofSession(() => ({ moved: true })), see: 'gotIt' },
  { name: 'moved-thread', scene: ofSession(() => ({ moved: true })), open: inThread, see: 'moved' },
  {
    name: 'identifying',
    scene: (copy) => ({
      ...someTickets(copy),
      session: known(copy, { customer: proven(copy) }),
      answers: { [`POST ${paths.identity}`]: refusal(503, 'upstream_unavailable') },
    }),
    arrived: ({ call }) => call('identify', 'a token'),
    see: 'identifyingSlow',
  },
  { name: 'start-menu', scene: someTickets, act: ({ press }) => press('more'), see: 'otherDevice' },
  {
    name: 'thread-menu',
    scene: oneThread,
    open: inThread,
    act: ({ press }) => press('more'),
    see: 'copyNumber',
  },
  { name: 'forget-me', scene: oneThread, act: ({ choose }) => choose('forget'), see: 'forgetHint' },
  {
    name: 'find',
    scene: noTickets,
    async act({ app, choose }) {
      await choose('find');
      await app.locator('#email').waitFor();
    },
  },
  { name: 'code', scene: noTickets, act: askForCode },
  {
    name: 'code-wrong',
    scene: answering(noTickets, {
      [`POST ${accountPaths.codeVerify}`]: refusal(400, 'invalid_request', { fields: { code: 'invalid' } }),
    }),
    async act(visit) {
      await askForCode(visit);
      await visit.app.locator('#code').fill('123456');
    },
    see: 'wrongCode',
  },
  {
    name: 'account-part-failed',
    before: abort('**/assets/account-*'),
    scene: noTickets,
    act: ({ choose }) => choose('find'),
    see: 'outdated',
  },
  {
    name: 'handoff',
    scene: answering(oneThread, handoff('offered')),
    async act({ app, choose }) {
      await choose('otherDevice');
      await app.locator('#link').waitFor();
    },
  },
  {
    name: 'handoff-asked',
    scene: answering(oneThread, handoff('asked')),
    act: ({ choose }) => choose('otherDevice'),
    see: 'openThere',
  },
  { name: 'data', scene: withData, act: ({ choose }) => choose('data.title'), see: 'data.here' },
  {
    name: 'data-delete',
    scene: withData,
    async act({ choose, press, see }) {
      await choose('data.title');
      await see('data.here');
      await press('data.delete');
    },
    see: 'data.deleteHint',
  },
];

const plain = [...start, ...thread, ...customer];

/** Every screen, for pictures and for axe: what is added here is looked at by both. */
export const screens = [...plain, ...underConditions(plain)];

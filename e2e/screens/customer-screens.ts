import { encode } from 'uqr';
import { accountPaths } from '../../bff/contract/account-paths.ts';
import { paths } from '../../bff/contract/paths.ts';
import type { Device } from '../../bff/contract/customer-data.ts';
import type { Handoff } from '../../bff/contract/session.ts';
import type { CannedAnswer } from './canned-bff.ts';
import { refusal } from './refusal.ts';
import { chippedId, known, noTickets, now, oneThread, someTickets } from './scenes.ts';
import type { Screen, Visit } from './visit.ts';

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

/** Asks for a code under an address. */
async function askForCode(visit: Visit): Promise<void> {
  await visit.press('find');
  await visit.app.locator('#email').fill('ada@example.com');
  await visit.press('sendCode');
  await visit.app.locator('#code').waitFor();
}

/** Signed in, with tickets from before that. */
const offered = ({ copy }: Visit, transferable: number) =>
  known(copy, {
    transferable,
    customer: { email: 'ada.lovelace@example.com', name: copy.name, verified: true, owner: 'ada' },
  });

/** A customer with a proven address, at their data and devices. */
async function toData(visit: Visit): Promise<void> {
  const customer = { email: 'ada@example.com', name: visit.copy.name, verified: true, owner: 'ada' };
  const devices: Device[] = [
    { created_at: '2026-03-01T09:00:00Z', last_used_at: now.toISOString(), current: true },
    { created_at: '2026-02-11T18:30:00Z', last_used_at: '2026-03-02T08:15:00Z', current: false },
  ];
  const answers = { [`GET ${accountPaths.devices}`]: { status: 200, body: { data: devices } } };
  await visit.arrive({ ...oneThread(visit.copy), session: known(visit.copy, { customer }), answers });
  await visit.open();
  await visit.press('data.title');
  await visit.see('data.here');
}

/** How customers arrive, prove who they are, move to another device and leave. */
export const customerScreens: Screen[] = [
  {
    name: 'claim',
    async reach(visit) {
      const session = known(visit.copy, {
        claimable: 2,
        customer: { email: 'ada@example.com', name: visit.copy.name, verified: true, owner: 'ada' },
      });
      await visit.arrive({ ...someTickets(visit.copy), session });
      await visit.open();
      await visit.see('claim');
    },
  },
  {
    name: 'transfer',
    async reach(visit) {
      await visit.arrive({ ...someTickets(visit.copy), session: offered(visit, 2) });
      await visit.open();
      await visit.see('transfer');
    },
  },
  {
    name: 'transfer-thread',
    async reach(visit) {
      await visit.arrive({ session: offered(visit, 1), tickets: [] });
      await visit.open({ ticket: chippedId });
      await visit.see('transfer');
    },
  },
  {
    name: 'moved',
    async reach(visit) {
      await visit.arrive({ session: known(visit.copy, { moved: true }), tickets: [] });
      await visit.open();
      await visit.see('gotIt');
    },
  },
  {
    name: 'moved-thread',
    async reach(visit) {
      await visit.arrive({ session: known(visit.copy, { moved: true }), tickets: [] });
      await visit.open({ ticket: chippedId });
      await visit.see('moved');
    },
  },
  {
    name: 'identifying',
    async reach(visit) {
      const session = known(visit.copy, {
        customer: { email: 'ada@example.com', name: visit.copy.name, verified: true, owner: 'ada' },
      });
      const answers = { [`POST ${paths.identity}`]: refusal(503, 'upstream_unavailable') };
      await visit.arrive({ ...someTickets(visit.copy), session, answers });
      await visit.page.evaluate(() => {
        const { Deskside } = window as unknown as { Deskside: (...call: unknown[]) => void };
        Deskside('identify', 'a token');
      });
      await visit.open();
      await visit.see('identifyingSlow');
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
      await visit.arrive({
        ...noTickets(visit.copy),
        answers: { [`POST ${accountPaths.codeVerify}`]: wrong },
      });
      await visit.open();
      await askForCode(visit);
      await visit.app.locator('#code').fill('123456');
      await visit.press('showTickets');
      await visit.see('wrongCode');
    },
  },
  {
    name: 'account-part-failed',
    async reach(visit) {
      await visit.page.route('**/assets/account-*', (route) => route.abort());
      await visit.arrive(noTickets(visit.copy));
      await visit.open();
      await visit.press('find');
      await visit.see('outdated');
    },
  },
  {
    name: 'handoff',
    async reach(visit) {
      await visit.arrive({ ...oneThread(visit.copy), answers: handoff('offered') });
      await visit.open();
      await visit.press('otherDevice');
      await visit.app.locator('#link').waitFor();
    },
  },
  {
    name: 'handoff-asked',
    async reach(visit) {
      await visit.arrive({ ...oneThread(visit.copy), answers: handoff('asked') });
      await visit.open();
      await visit.press('otherDevice');
      await visit.see('openThere');
    },
  },
  {
    name: 'data',
    reach: (visit) => toData(visit),
  },
  {
    name: 'data-delete',
    async reach(visit) {
      await toData(visit);
      await visit.press('data.delete');
      await visit.see('data.deleteHint');
    },
  },
];

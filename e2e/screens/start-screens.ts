import { paths } from '../../bff/contract/paths.ts';
import { refusal, unreadable } from './refusal.ts';
import { noTickets, oneThread, someTickets } from './scenes.ts';
import type { Screen, Visit } from './visit.ts';

async function fillForm({ app, copy }: Visit): Promise<void> {
  await app.locator('#customer_email').fill('ada@example.com');
  await app.locator('#description').fill(copy.problem);
}

/** The launcher, and where a customer begins: form and list. */
export const startScreens: Screen[] = [
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
      await visit.launcher.filter({ hasText: '2' }).waitFor();
    },
  },
  {
    name: 'new-answer-while-closed',
    async reach(visit) {
      const scene = oneThread(visit.copy);
      const { messages: _, read_at: _at, ...ticket } = scene.tickets[0]!;
      await visit.arrive(scene);
      await visit.open();
      await visit.app.getByText(ticket.subject).waitFor();
      await visit.page.keyboard.press('Escape');
      visit.bff.push('ticket', { ...ticket, unread: 1 });
      await visit.launcher.filter({ hasText: '1' }).waitFor();
      await visit.see('noPreviews');
    },
  },
  {
    name: 'loader-failed',
    async reach(visit) {
      await visit.page.route('**/frame?*', (route) => route.abort());
      await visit.arrive(noTickets(visit.copy));
      await visit.launcher.click();
      await visit.page.clock.runFor(10_000);
      await visit.page.getByRole('alert').getByRole('button').waitFor();
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
      await visit.arrive(noTickets(visit.copy), { subject: 'ask' });
      await visit.open();
      await visit.app.locator('#customer_email').fill('ada at example');
      await visit.app.locator('#subject').fill('x'.repeat(290));
      await visit.press('send');
      await visit.see('fixFaults');
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
    name: 'start-rate-limited',
    async reach(visit) {
      const answers = { [`GET ${paths.session}`]: refusal(429, 'rate_limited', { retry_after: 1_800 }) };
      await visit.arrive({ ...noTickets(visit.copy), answers });
      await visit.open();
      await visit.app.locator('#description').waitFor();
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
    name: 'list-failed',
    async reach(visit) {
      await visit.arrive({ ...someTickets(visit.copy), answers: unreadable() });
      await visit.page.evaluate(() => localStorage.setItem('deskside:v1:used', 'true'));
      await visit.open();
      await visit.see('loadFailed');
    },
  },
  {
    name: 'list-part-failed',
    async reach(visit) {
      await visit.page.route('**/assets/conversation-*', (route) => route.abort());
      await visit.page.addInitScript(() => localStorage.setItem('deskside:v1:used', 'true'));
      await visit.arrive(someTickets(visit.copy));
      await visit.open();
      await visit.see('outdated');
    },
  },
  {
    name: 'list-reconnecting',
    async reach(visit) {
      const scene = someTickets(visit.copy);
      await visit.arrive(scene);
      await visit.open();
      await visit.app.getByText(visit.copy.subjects.refund).waitFor();
      visit.bff.show({ ...scene, answers: unreadable() });
      visit.bff.cut();
      await visit.see('reconnecting');
    },
  },
  {
    name: 'printed',
    async reach(visit) {
      await visit.arrive(someTickets(visit.copy));
      await visit.open();
      await visit.app.getByText(visit.copy.subjects.refund).waitFor();
      await visit.page.emulateMedia({ media: 'print' });
      await visit.launcher.waitFor({ state: 'hidden' });
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
];

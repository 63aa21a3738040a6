import { showConversation } from '../thread/viewed.ts';
import { refOf } from '../ticket-list/names.ts';
import { aSession, aTicket, fakeModels, newStore } from './fakes.ts';

/** What a customer does and sees, on the models alone. */

type Fake = ReturnType<typeof fakeModels>;

/** A browser that has been here before, with its stream's first event. */
export async function returning(
  options: Parameters<typeof fakeModels>[0] = {},
  tickets = [aTicket()],
): Promise<Fake> {
  const storage = options.storage ?? newStore();
  storage.write('used', true);
  const fake = fakeModels({ ...options, storage });
  await fake.push({ name: 'sync', data: { session: aSession(), tickets, thread: null } });
  return fake;
}

/** The conversation on screen: `text: state` of each message. */
export const shown = ({ models: { viewed, tickets, outbox } }: Fake): string[] =>
  showConversation(viewed.value!, tickets.thread(refOf(viewed.value!)), outbox.sends.value).map(
    ({ body, state }) => `${body}: ${state}`,
  );

export function submitForm({ models: { newTicket, sending } }: Fake) {
  newTicket.set('customer_email', 'ana@example.com');
  newTicket.set('subject', 'My order');
  newTicket.set('description', 'Where is it?');
  sending.submitTicket();
}

export function submitReply({ models: { drafts, sending } }: Fake, ref: string, body: string) {
  drafts.reply(ref);
  drafts.write(ref, body);
  sending.submitReply();
}

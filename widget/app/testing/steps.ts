import { showConversation } from '../thread/show-conversation.ts';
import { refOf } from '../ticket-list/names.ts';
import { aSession, aTicket, fakeSupport, newStore } from './fakes.ts';

/** What a customer does and sees, on the models alone. */

type Fake = ReturnType<typeof fakeSupport>;

/** A browser that has been here before, with its stream's first event. */
export async function returning(
  options: Parameters<typeof fakeSupport>[0] = {},
  tickets = [aTicket()],
): Promise<Fake> {
  const storage = options.storage ?? newStore();
  storage.write('used', true);
  const fake = fakeSupport({ ...options, storage });
  await fake.push({ name: 'sync', data: { session: aSession(), tickets, thread: null } });
  return fake;
}

/** The conversation on screen: `text: state` of each message. */
export const shown = ({ support: { viewed, tickets, outbox } }: Fake): string[] =>
  showConversation(viewed.value!, tickets.thread(refOf(viewed.value!)), outbox.sends.value).map(
    ({ body, state }) => `${body}: ${state}`,
  );

export function submitForm({ support: { newTicket, submitTicket } }: Fake) {
  newTicket.set('customer_email', 'ana@example.com');
  newTicket.set('subject', 'My order');
  newTicket.set('description', 'Where is it?');
  submitTicket();
}

export function submitReply({ support: { drafts, sending } }: Fake, ref: string, body: string) {
  drafts.reply(ref);
  drafts.write(ref, body);
  sending.submitReply();
}

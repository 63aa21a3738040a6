import { vi } from 'vitest';
import type { Session } from '../../../shared/contract/session.ts';
import { aMessage, aSession, aThread, aTicket, fakeStorage, fakeModels, newStore, settle } from './fakes.ts';

/** Customers who sign in, one after the other, at one browser. */

type Fake = ReturnType<typeof fakeModels>;

/** An answer of the BFF: never the same object twice. */
export const ok = async <T>(value: T) => ({ ok: true as const, value: structuredClone(value) });

/** The session of a new customer, where codes go by mail. */
export const withCodes: Session = { ...aSession(false), email_code: true };
/** The session of Ana, whose address is proven by a code. */
export const verified = (more: Partial<Session> = {}): Session => ({
  ...aSession(),
  customer: { email: 'ana@example.com', name: 'Ana', verified: true, owner: 'ana' },
  email_code: true,
  ...more,
});

/** The session of one who signed in. */
export const proven = (email: string): Session => ({
  ...aSession(),
  customer: { email, name: null, verified: true, owner: `name-of-${email}` },
});
export const ana = proven('ana@secret.example');
export const bob = proven('bob@other.example');

export const secretTicket = aTicket({ subject: 'SECRET subject' });
export const secretThread = aThread([aMessage({ body: 'SECRET body' })], { subject: 'SECRET subject' });

interface Busy extends NonNullable<Parameters<typeof fakeModels>[0]> {
  session?: Session;
}

/** A customer (Ana, signed in) who reads one conversation, writes two texts and has a third one waiting. */
export async function busy({ calls = {}, session = ana, ...more }: Busy = {}) {
  const raw = fakeStorage();
  const storage = more.storage ?? newStore(raw);
  storage.write('used', true);
  const askForToken = vi.fn<() => void>();
  const fake = fakeModels({
    storage,
    askForToken,
    ...more,
    calls: { ticket: () => ok(secretThread), ...calls },
  });
  await fake.push({ name: 'sync', data: { session, tickets: [secretTicket], thread: null } });
  const { view, drafts, outbox, newTicket } = fake.models;
  view.go({ name: 'find' });
  await settle();
  newTicket.set('description', 'SECRET draft');
  view.go({ name: 'thread', ref: 't1' });
  await settle();
  drafts.reply('t1');
  drafts.write('t1', 'SECRET reply');
  outbox.addMessage({ id: 't1', key: null }, { body: 'SECRET unsent' });
  drafts.flush();
  await settle();
  await fake.push({ name: 'ticket', data: { ...secretTicket, unread: 1 } });
  return { ...fake, raw, askForToken };
}

/** The data of the models, hidden or not, as one text. */
export function inMemory({ models, accountOf }: Fake): string {
  const { tickets, outbox, newTicket, drafts, session, view, list, viewed, unread } = models;
  const signals = [
    tickets.list,
    tickets.arrivedElsewhere,
    tickets.arrivedHere,
    outbox.sends,
    newTicket.fields,
    newTicket.errors,
    drafts.reply('t1'),
    session.current,
    view.current,
    view.lastRef,
    list,
    viewed,
    unread,
    accountOf()?.emailCode.sentTo,
  ].map((each) => each?.value);
  return JSON.stringify([signals, tickets.thread('t1')]);
}

/** All that the browser stores, as one text. */
export const stored = (raw: Storage): string =>
  Object.keys(raw)
    .map((name) => `${name}: ${raw.getItem(name)}`)
    .join('\n');

/** The data of the models and of the browser's storage, as one text. */
export const everything = (fake: Fake & { raw: Storage }): string => inMemory(fake) + stored(fake.raw);

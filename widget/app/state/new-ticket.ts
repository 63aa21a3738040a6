import type { ErrorCode, FieldFault } from '../../../bff/contract/errors.ts';
import { maxLength } from '../../../bff/contract/limits.ts';
import type { Session } from '../../../bff/contract/session.ts';
import type { NewTicket, Priority } from '../../../bff/contract/tickets.ts';
import type { DraftsModel } from './drafts.ts';
import { signal } from './signal.ts';

/** In the order of the form; the names are those of the wire. */
export const fieldNames = ['customer_name', 'customer_email', 'subject', 'description'] as const;
export type FieldName = (typeof fieldNames)[number];
export const optional = new Set<FieldName>(['customer_name', 'subject']);
export type Fields = Record<FieldName | 'priority', string>;
export type Faults = Partial<Record<FieldName, FieldFault>>;

const empty: Fields = { customer_name: '', customer_email: '', subject: '', description: '', priority: '' };
const isFields = (value: unknown): value is Fields =>
  Object.keys(empty).every(
    (name) => typeof (Object(value) as Partial<Fields>)[name as FieldName] === 'string',
  );

/** As much of it as fits a list, cut between words where there are any. */
const firstLine = /^.{1,80}(?!\S)|^.{1,80}/u;
const firstLineOf = (text: string) =>
  // A subject is one line without control characters; a text may hold tabs.
  (firstLine.exec(text.trim())?.[0] ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** What the BFF would refuse in a field, found before it is asked. */
function findFault(name: FieldName, text: string): FieldFault | undefined {
  // Without a subject the ticket gets the first line of its text.
  if (text === '') return optional.has(name) ? undefined : 'required';
  if (text.length > maxLength[name]) return 'too_long';
  // Looser than any mail server: what it lets through wrongly the BFF refuses with the same fault.
  return name === 'customer_email' && !/^[^\s@]+@[^\s@]+$/.test(text) ? 'invalid' : undefined;
}

/** The form of a new ticket: its draft, and what is wrong with it once the customer has tried to send. */
export function createNewTicket(drafts: DraftsModel) {
  const fields = drafts.read('new', empty, isFields);
  const faults = signal<Faults>({});
  const failure = signal<ErrorCode | null>(null);

  /** What was filled in without the customer: as long as a field still holds it, it may change. */
  let given: Partial<Fields> = {};

  const set = (patch: Partial<Fields>) => drafts.write('new', { ...fields.peek(), ...patch });

  function refuse(found: Faults, code: ErrorCode | null) {
    faults.value = found;
    failure.value = code;
  }

  /** Fills fields that the customer has not touched, for this page only. */
  function prefill(more: { [Name in keyof Fields]?: string | undefined }) {
    const filled = { ...fields.peek() };
    for (const name of Object.keys(empty) as (keyof Fields)[]) {
      const text = more[name];
      if (!text || filled[name] !== (given[name] ?? '')) continue;
      filled[name] = text;
      given[name] = text;
    }
    fields.value = filled;
  }

  /** As before the customer began; the texts themselves are the drafts'. */
  function forget() {
    given = {};
    refuse({}, null);
  }

  return {
    fields,
    faults,
    /** Why the form did not go; null while nothing is wrong. */
    failure,
    set(name: keyof Fields, value: string) {
      set({ [name]: value });
      // A marked field clears as soon as it is right; others stay quiet until the next attempt.
      if (name === 'priority' || findFault(name, value.trim())) return;
      const { [name]: _cured, ...others } = faults.peek();
      faults.value = others;
      if (Object.keys(others).length === 0) failure.value = null;
    },
    prefill,
    /** Fills in a customer who is known; a proven address is not theirs to change here. */
    introduce({ email, name, verified }: NonNullable<Session['customer']>) {
      if (verified) fields.value = { ...fields.peek(), customer_email: email };
      prefill({ customer_email: email, customer_name: name ?? '' });
    },
    /** Adds texts to the description, stored at once, and counts the whole form as the customer's: nothing is lost. */
    add(texts: string[]) {
      given = {};
      const { description } = fields.peek();
      set({ description: [description, ...texts].filter((text) => text.trim()).join('\n\n') });
      drafts.flush();
    },
    /** Marks what is wrong; `code` says why the form did not go. */
    refuse,
    /**
     * The payload to send, or null when the form has faults, which are then shown. `website` is what stands in the
     * field that no customer sees.
     */
    check(pageUrl: string | undefined, website = ''): NewTicket | null {
      const written = fields.peek();
      const now = { ...written, subject: written.subject.trim() || firstLineOf(written.description) };
      const found: Faults = {};
      const ticket: Partial<Record<FieldName, string>> = {};
      for (const name of fieldNames) {
        const text = now[name].trim();
        const fault = findFault(name, text);
        if (fault) found[name] = fault;
        if (text) ticket[name] = text;
      }
      const isRight = Object.keys(found).length === 0;
      refuse(found, isRight ? null : 'invalid_request');
      if (!isRight) return null;
      return {
        ...(ticket as NewTicket),
        ...(now.priority && { priority: now.priority as Priority }),
        ...(website && { website }),
        ...(pageUrl && pageUrl.length <= maxLength.page_url && { context: { page_url: pageUrl } }),
      };
    },
    clear() {
      drafts.clear('new');
      forget();
    },
    forget,
  };
}

export type NewTicketModel = ReturnType<typeof createNewTicket>;

import type { ErrorCode, FieldFault } from '../../../shared/contract/errors.ts';
import type { FormAnswers } from '../../../shared/contract/form.ts';
import { maxLength } from '../../../shared/contract/limits.ts';
import { addressIn, isBlank, meantDomain, visible } from '../../../shared/contract/typed.ts';
import type { Session } from '../../../shared/contract/session.ts';
import type { NewTicket, Priority, TicketContext } from '../../../shared/contract/tickets.ts';
import type { DraftsModel } from './drafts.ts';
import { action, computed, effect, signal } from '@preact/signals';

/** In the order of the form; the names are those of the protocol. */
export const fieldNames = ['description', 'subject', 'customer_email', 'customer_name'] as const;
export type FieldName = (typeof fieldNames)[number];
export const optional: ReadonlySet<keyof Fields> = new Set(['customer_name', 'subject'] as const);
/** `notify` is `on` or empty, `answers` JSON of `form/answers.ts`. */
type Fields = Record<FieldName | 'priority' | 'notify' | 'answers', string>;
/** By name of the field; those of the operator's form have names of their own. */
export type FieldErrors = Partial<Record<string, FieldFault>>;

/**
 * Adds errors of the operator's form: of its first fields or, with `after`, of the fields that follow that field of the
 * ticket. Returns the answers to send.
 */
type CheckForm = (found: FieldErrors, after?: FieldName) => Partial<NewTicket>;

/** What a form is filled in with. */
export interface Prefilled extends Partial<Record<keyof Fields, string | undefined>> {
  /** From the host page, for the operator's form; not checked yet. */
  topic?: unknown;
  fields?: unknown;
  /** Of a ticket that was refused. */
  form?: FormAnswers | undefined;
}

const empty: Fields = {
  customer_name: '',
  customer_email: '',
  subject: '',
  description: '',
  priority: '',
  notify: '',
  answers: '',
};
/** A draft of an older version may lack fields; its texts are kept. */
function parseFields(value: unknown): Fields | null {
  const texts = Object.entries(Object(value) as object).filter(
    ([name, text]) => name in empty && typeof text === 'string',
  );
  return texts.length > 0 ? { ...empty, ...Object.fromEntries(texts) } : null;
}

/** The first sentence, unless it is as short as a greeting, or as much of the first line as fits a list. */
const firstSentence = /^.{16,80}?[.!?。！？](?!\S)|^.{1,80}(?!\S)|^.{1,80}/u;
const subjectOf = (text: string) =>
  // A subject is one line without control characters; a text may hold tabs.
  (firstSentence.exec(text.slice(text.search(visible)))?.[0] ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** A text as the BFF reads it. */
const asRead = (name: keyof Fields, text: string) =>
  name === 'customer_email' ? addressIn(text) : isBlank(text) ? '' : text.trim();

/** The error that the BFF would report for a field. */
function findError(name: keyof Fields, text: string): FieldFault | undefined {
  // Without a subject the ticket gets the first sentence of its text.
  if (text === '') return optional.has(name) ? undefined : 'required';
  // A field without a limit is never too long: a comparison with undefined is false.
  if (text.length > (maxLength as Partial<Record<keyof Fields, number>>)[name]!) return 'too_long';
  // Looser than the BFF's check, which reports the same error.
  return name === 'customer_email' && !/^[^\s@]+@[^\s@]+$/.test(text) ? 'invalid' : undefined;
}

/** The form of a new ticket: its draft and, once the customer has tried to send it, its errors. */
export function createNewTicket(drafts: DraftsModel) {
  const fields = drafts.read('new', empty, parseFields);
  const errors = signal<FieldErrors>({});
  const failure = signal<ErrorCode | null>(null);
  /** Fields that have had a text since the form was begun. An optional one stays on screen while it is rewritten. */
  const begun = signal<readonly FieldName[]>([]);
  effect(() => {
    const written = fields.value;
    begun.value = fieldNames.filter((name) => written[name] !== '' || begun.peek().includes(name));
  });

  /** The address as it was when its field was left. */
  const leftAddress = signal('');

  /** Values that were filled in automatically. A field that still has its value may be filled in again. */
  let prefilled: Partial<Fields> = {};
  /** Everything that was given for the operator's form. */
  const prefills = signal<readonly Prefilled[]>([]);
  let checkForm: CheckForm = () => ({});
  /** What the page says for agents. */
  let context: TicketContext = {};

  const set = (patch: Partial<Fields>) => drafts.write('new', { ...fields.peek(), ...patch });

  const refuse = action((found: FieldErrors, code: ErrorCode | null) => {
    errors.value = found;
    failure.value = code;
  });

  /** An error is removed as soon as its field is valid. New errors are shown only at the next attempt. */
  function recheck(name: keyof Fields) {
    if (findError(name, asRead(name, fields.peek()[name]))) return;
    const { [name]: _cured, ...others } = errors.peek();
    refuse(others, Object.keys(others).length === 0 ? null : failure.peek());
  }

  const write = action((name: keyof Fields, value: string) => {
    set({ [name]: value });
    recheck(name);
  });

  /** Fills fields that the customer has not touched, for this page only. */
  function prefill(more: Prefilled) {
    if (more.topic ?? more.fields ?? more.form) prefills.value = [...prefills.peek(), more];
    for (const name of Object.keys(empty) as (keyof Fields)[]) {
      const text = more[name];
      const now = fields.peek()[name];
      if (!text || text === now || now !== (prefilled[name] ?? '')) continue;
      prefilled[name] = text;
      fields.value = { ...fields.peek(), [name]: text };
      recheck(name);
    }
  }

  /** Forgets errors and automatic values, but not the draft. */
  function forget() {
    prefilled = {};
    begun.value = fieldNames.filter((name) => fields.peek()[name] !== '');
    refuse({}, null);
  }

  return {
    fields,
    errors,
    /** Why the form was not sent; null while nothing is wrong. */
    failure,
    begun,
    set: write,
    /** The message that the customer has begun; empty for one that was only filled in for them. */
    draft: computed(() => {
      const { description } = fields.value;
      return description === prefilled.description ? '' : description.trim();
    }),
    /** The domain that was probably meant in the address, once its field was left; else null. */
    meant: computed(() =>
      fields.value.customer_email === leftAddress.value ? meantDomain(leftAddress.value) : null,
    ),
    /** The customer has left the field of the address: what stays in it is what will be sent. */
    leaveAddress: action(() => {
      const typed = fields.peek().customer_email;
      leftAddress.value = addressIn(typed);
      if (leftAddress.peek() !== typed) write('customer_email', leftAddress.peek());
    }),
    takeMeant(domain: string) {
      const { customer_email: typed } = fields.peek();
      write('customer_email', typed.slice(0, typed.lastIndexOf('@') + 1) + domain);
    },
    prefill,
    prefills,
    /** Shows what another tab has written or sent. What was filled in for this page stays, since no tab stores it. */
    refresh: action(() => {
      drafts.refresh();
      for (const name of fieldNames)
        if (!fields.peek()[name] && prefilled[name])
          fields.value = { ...fields.peek(), [name]: prefilled[name] };
    }),
    /** Takes what the page says for agents, in place of what it said before. */
    describe(said: TicketContext) {
      context = said;
    },
    /** Makes `check` include the operator's form. */
    addForm(check: CheckForm) {
      checkForm = check;
    },
    /** Fills in a known customer's name and address. A proven address is fixed. */
    introduce: action(({ email, name, verified }: NonNullable<Session['customer']>) => {
      if (verified) prefilled.customer_email = fields.peek().customer_email;
      prefill({ customer_email: email, customer_name: name ?? '' });
    }),
    /**
     * Adds texts to the description and stores it at once, except those that it has already: the customer may press in two
     * tabs. The whole form then counts as the customer's own text.
     */
    add(texts: string[]) {
      prefilled = {};
      const { description } = fields.peek();
      const between = (text: string) => `\n\n${text.trim()}\n\n`;
      const added = texts.filter((text) => !between(description).includes(between(text)));
      set({ description: [description, ...added].filter((text) => text.trim()).join('\n\n') });
      drafts.flush();
    },
    /** Shows errors of fields; `code`: why the form was not sent. */
    refuse,
    /**
     * The payload to send, or null when the form has errors, which are then shown. `website`: the hidden field for bots.
     */
    check(pageUrl: string | undefined, website = ''): NewTicket | null {
      const written = fields.peek();
      const now = {
        ...written,
        subject: asRead('subject', written.subject) || subjectOf(written.description),
      };
      const found: FieldErrors = {};
      const ticket = checkForm(found);
      for (const name of fieldNames) {
        const text = asRead(name, now[name]);
        const error = findError(name, text);
        if (error) found[name] = error;
        if (text) ticket[name] = text;
        checkForm(found, name);
      }
      const language = document.documentElement.lang;
      const isRight = Object.keys(found).length === 0;
      refuse(found, isRight ? null : 'invalid_request');
      if (!isRight) return null;
      return {
        ...(ticket as NewTicket),
        ...(now.priority && { priority: now.priority as Priority }),
        ...(now.notify && { notify: true }),
        ...(language && { language }),
        ...(website && { website }),
        context: {
          ...(pageUrl && pageUrl.length <= maxLength.page_url && { page_url: pageUrl }),
          ...context,
        },
      };
    },
    /** Whether the last check found nothing wrong but that there is no address. */
    lacksAddressOnly() {
      const { customer_email: fault, ...others } = errors.peek();
      return fault === 'required' && Object.keys(others).length === 0;
    },
    clear: action(() => {
      drafts.clear('new');
      forget();
    }),
    forget,
  };
}

export type NewTicketModel = ReturnType<typeof createNewTicket>;

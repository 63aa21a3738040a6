import type { Attributes } from '../../../shared/contract/attributes.ts';
import { AppError } from '../errors.ts';
import { type Contact, newRowId, type SubjectRow } from '../store/schema.ts';
import { openOnce, type Seal } from '../store/seal.ts';
import type { Store } from '../store/open.ts';
import { listOf } from '../store/dialect.ts';
import { prepare } from '../store/statements/prepared.ts';
import { prepareRead } from '../store/statements/reads-together.ts';
import { prepareWrite } from '../store/statements/writes-together.ts';
import { readAddress } from './address.ts';
import { hasNo } from './unused-subjects.ts';

/** A holder of tickets: one anonymous browser, or one customer who has signed in. */
export interface Subject {
  id: string;
  contact: Contact | null;
  /** The address in `contact` is proven. */
  isVerified: boolean;
  /** The customer has signed in with the site's token or with a code. */
  isSignedIn: boolean;
  /** The name of the customer for the browser, without meaning; null for an anonymous subject. */
  owner: string | null;
  /** Keyed hash of the proven address; null without one. */
  addressHash: string | null;
  /** A visitor whose tickets were claimed by the owner of the address, and who has not been notified yet. */
  hasLost: boolean;
}

/** The columns of a subject's row that make a `Subject`. */
export const subjectColumns = [
  'contact_sealed',
  'verified',
  'identity_hash',
  'address_hash',
  'moved',
] as const satisfies readonly (keyof SubjectRow)[];
export type SubjectColumns = Pick<SubjectRow, (typeof subjectColumns)[number]> & { subject_id: string };

/** A customer, as asserted by the site's server. */
export interface Identity {
  /** The site's own id of the customer. */
  sub: string;
  email: string;
  /** True when the site says that it has proven the address. */
  emailVerified: boolean;
  name: string | null;
  /** Facts for agents. */
  attributes?: Attributes;
  /** The site's own id of the customer's organisation. */
  org: string | null;
  /** The customer may read what others of the organisation have opened. */
  seesOrg: boolean;
  /** Unix seconds. */
  issuedAt: number;
}

/** The maximum number of decrypted contacts in the cache: those of all open streams, and some more. */
const maxOpened = 6_000;

const visitMs = 86_400_000;
/** How many contacts are read at once to find an address. */
const contactsAtOnce = 200;
/** Older rows contain addresses as they were typed. */
const normalized = (email: string) => readAddress(email) ?? email;

const all = (store: Store) => store.selectFrom('subjects').selectAll();

const statementsOf = (store: Store) => ({
  byId: prepareRead(({ id }: { id: string }) => all(store).where('id', '=', id)),
  markVisited: prepareWrite(store, ({ id, visited_at }: { id: string; visited_at: number }) =>
    store
      .updateTable('subjects')
      .set({ visited_at })
      .where('id', '=', id)
      .where((eb) => eb(eb('subjects.visited_at', '+', visitMs), '<=', visited_at))
      .returningAll(),
  ),
  updateContact: prepare(({ id, contact }: { id: string; contact: string }) =>
    store
      .updateTable('subjects')
      .set({ contact_sealed: contact })
      .where('id', '=', id)
      .where('verified', '=', 0)
      .where('identity_hash', 'is', null),
  ),
  byIds: prepare(({ ids }: { ids: string }) =>
    store
      .selectFrom('subjects')
      .select(['id', ...subjectColumns])
      .where('id', 'in', listOf(store, ids)),
  ),
  insert: prepare((row: { id: string; contact: string; at: number; identity: string | null }) =>
    store
      .insertInto('subjects')
      .values({
        id: row.id,
        contact_sealed: row.contact,
        verified: 0,
        created_at: row.at,
        visited_at: row.at,
        identity_hash: row.identity,
      })
      .onConflict((conflict) => conflict.column('identity_hash').doNothing())
      .returning('id'),
  ),
});

/** Finds and creates subjects. A subject is never found by a typed address. */
export function createSubjects({ store, seal, now }: { store: Store; seal: Seal; now: () => number }) {
  const statements = statementsOf(store);
  const addressHash = (email: string) => seal.hash('e-mail address', normalized(email));

  /** Counts one mailbox: addresses that differ only after a plus sign mostly share a mailbox. */
  function mailboxHash(email: string): string {
    const [local = '', domain = ''] = email.split('@');
    return addressHash(`${local.split('+')[0]}@${domain}`);
  }

  const ownerName = (id: string) => seal.hash('owner', id);

  const openContact = openOnce(seal, 'subjects.contact', maxOpened);

  function toSubject(id: string, row: Omit<SubjectColumns, 'subject_id'>): Subject {
    const isSignedIn = row.verified === 1 || row.identity_hash !== null;
    return {
      id,
      contact: row.contact_sealed ? openContact(row.contact_sealed) : null,
      isVerified: row.verified === 1,
      isSignedIn,
      owner: isSignedIn ? ownerName(id) : null,
      addressHash: row.verified === 1 ? row.address_hash : null,
      hasLost: !isSignedIn && row.moved === 1,
    };
  }

  /**
   * A subject that exists once `write` has run. `write` does nothing if another subject with this `identity` was
   * created meanwhile.
   */
  function draft(contact: Contact, identity: string | null = null) {
    const id = newRowId();
    const sealed = seal.seal('subjects.contact', contact);
    return { id, write: statements.insert.of({ id, contact: sealed, at: now(), identity }) };
  }

  async function create(contact: Contact, identity: string | null = null): Promise<string> {
    const { id, write } = draft(contact, identity);
    await store.executeQuery(write);
    return id;
  }

  async function prove(id: string, contact: Contact, isVerified: boolean): Promise<void> {
    await store
      .updateTable('subjects')
      .set({
        contact_sealed: seal.seal('subjects.contact', contact),
        verified: isVerified ? 1 : 0,
        address_hash: isVerified ? addressHash(contact.email) : null,
      })
      .where('id', '=', id)
      .execute();
  }

  /** The subjects that have proven this address. */
  const provenBy = (hash: string) =>
    all(store).where('address_hash', '=', hash).where('verified', '=', 1).orderBy('created_at').execute();

  /** @throws {AppError} `unauthenticated` when the subject no longer exists because its browser has signed in */
  async function find(id: string): Promise<Subject> {
    const [row] = await statements.byId(store, { id });
    if (!row) throw new AppError('unauthenticated');
    return toSubject(id, row);
  }

  return {
    addressHash,
    mailboxHash,
    ownerName,
    find,

    /** The subject that a session acts for. */
    of: (columns: SubjectColumns): Subject => toSubject(columns.subject_id, columns),

    /** Subjects by id. Subjects that no longer exist are left out. */
    async findAll(ids: readonly string[]): Promise<Map<string, Subject>> {
      const rows = await statements.byIds(store, { ids: JSON.stringify(ids) });
      return new Map(rows.map((row) => [row.id, toSubject(row.id, row)]));
    },

    /** A new anonymous subject, under the address as it was typed. */
    create: (contact: Contact) => create(contact),
    draft: (contact: Contact) => draft(contact),

    /** Stores the contact that an anonymous subject last typed, so that the next form is filled in. */
    async setContact(id: string, contact: Contact): Promise<void> {
      await statements.updateContact(store, { id, contact: seal.seal('subjects.contact', contact) });
    },

    /** Records whether these visitors must be notified that their tickets were claimed. */
    async setLost(ids: string[], hasLost: boolean): Promise<void> {
      const moved = hasLost ? 1 : 0;
      await store.updateTable('subjects').set({ moved }).where('id', 'in', ids).execute();
    },

    /** Removes a subject without sends, its sessions and its rights. */
    async forget(id: string, db = store): Promise<void> {
      await db.deleteFrom('subjects').where('id', '=', id).execute();
    },

    /** Removes a subject that holds nothing and has sent nothing. */
    async removeUnused(id: string, db = store): Promise<void> {
      await db
        .deleteFrom('subjects')
        .where('id', '=', id)
        .where((query) => query.and([hasNo(query, 'grants'), hasNo(query, 'operations')]))
        .execute();
    },

    /** Records that a browser acts for the subject now; once a day is enough. */
    async markVisited(id: string): Promise<void> {
      await statements.markVisited(store, { id, visited_at: now() });
    },

    /** The subject with this id at the site. When its address changes, its sessions end. */
    async byIdentity({
      sub,
      email,
      emailVerified,
      name,
    }: Pick<Identity, 'sub' | 'email' | 'emailVerified' | 'name'>): Promise<Subject> {
      const identity = seal.hash('identity', sub);
      const known = () => all(store).where('identity_hash', '=', identity).executeTakeFirst();
      if (!(await known())) await create({ email, name }, identity);
      const { id, verified, address_hash } = (await known())!;
      await prove(id, { email, name }, emailVerified);
      const subject = await find(id);
      if (verified === 1 && address_hash !== subject.addressHash)
        await store.deleteFrom('sessions').where('subject_id', '=', id).execute();
      return subject;
    },

    /**
     * The subject for this proven address: the only subject that has proven it, otherwise a subject identified by the
     * address alone.
     */
    async byAddress(email: string): Promise<Subject> {
      const proven = await provenBy(addressHash(email));
      const known = proven.length === 1 ? proven[0] : proven.find((row) => row.identity_hash === null);
      if (known) return toSubject(known.id, known);
      const id = await create({ email, name: null });
      await prove(id, { email, name: null }, true);
      return find(id);
    },

    /**
     * All subjects with this address, proven or only typed, for the operator. The store has no hash of a typed address, so
     * every contact is decrypted.
     * @param email as returned by `readAddress`
     */
    async withAddress(email: string): Promise<string[]> {
      const found: string[] = [];
      let last = '';
      for (;;) {
        const rows = await store
          .selectFrom('subjects')
          .select(['id', 'contact_sealed'])
          .where('id', '>', last)
          .orderBy('id')
          .limit(contactsAtOnce)
          .execute();
        for (const { id, contact_sealed } of rows) {
          const contact = contact_sealed ? seal.open('subjects.contact', contact_sealed) : null;
          if (contact && normalized(contact.email) === email) found.push(id);
        }
        if (rows.length < contactsAtOnce) return found;
        last = rows.at(-1)!.id;
      }
    },

    /** Other subjects that have proven the same address by a code alone. They are the same customer. */
    async subjectsWithSameEmail({ id, addressHash: hash }: Subject): Promise<string[]> {
      const proven = hash === null ? [] : await provenBy(hash);
      return proven.filter((row) => row.identity_hash === null && row.id !== id).map((row) => row.id);
    },
  };
}

export type Subjects = ReturnType<typeof createSubjects>;

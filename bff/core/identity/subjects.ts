import type { ExpressionBuilder } from 'kysely';
import type { Attributes } from '../../../shared/contract/attributes.ts';
import { AppError } from '../errors.ts';
import { type Contact, type Tables, newRowId } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { Store } from '../store/open.ts';
import { listOf } from '../store/dialect.ts';
import { prepare } from '../store/statements/prepared.ts';
import { readAddress } from './address.ts';
import { createToSubject, type Subject, type SubjectColumns, subjectColumns } from './subject.ts';

export type { Subject };

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

/** When a browser last acted for a subject, in Unix milliseconds. */
export interface Visit {
  id: string;
  visitedAt: number;
}

/** Before every visit. */
export const noVisit: Visit = { id: '', visitedAt: -1 };

const visitMs = 86_400_000;
/** How many contacts are read at once to find an address. */
const contactsAtOnce = 200;
/** A subject is created a moment before its first session. */
const newSubjectMs = 3_600_000;

type UnusedCheck = ExpressionBuilder<Tables, 'subjects'>;

/** Older rows contain addresses as they were typed. */
const normalized = (email: string) => readAddress(email) ?? email;

const hasNo = ({ exists, not, selectFrom }: UnusedCheck, table: 'sessions' | 'grants' | 'operations') =>
  not(
    exists(
      selectFrom(table).select(`${table}.subject_id`).whereRef(`${table}.subject_id`, '=', 'subjects.id'),
    ),
  );

const isOfferedNothing = ({ exists, not, selectFrom }: UnusedCheck) =>
  not(exists(selectFrom('transfers').select('to_subject').whereRef('to_subject', '=', 'subjects.id')));

/** Finds and creates subjects. A subject is never found by a typed address. */
export function createSubjects({ store, seal, now }: { store: Store; seal: Seal; now: () => number }) {
  const all = () => store.selectFrom('subjects').selectAll();
  const byId = prepare(({ id }: { id: string }) => all().where('id', '=', id));
  const updateContact = prepare(({ id, contact }: { id: string; contact: string }) =>
    store
      .updateTable('subjects')
      .set({ contact_sealed: contact })
      .where('id', '=', id)
      .where('verified', '=', 0)
      .where('identity_hash', 'is', null),
  );
  const byIds = prepare(({ ids }: { ids: string }) =>
    store
      .selectFrom('subjects')
      .select(['id', ...subjectColumns])
      .where('id', 'in', listOf(store, ids)),
  );
  const addressHash = (email: string) => seal.hash('e-mail address', normalized(email));

  /** Counts one mailbox: addresses that differ only after a plus sign mostly share a mailbox. */
  function mailboxHash(email: string): string {
    const [local = '', domain = ''] = email.split('@');
    return addressHash(`${local.split('+')[0]}@${domain}`);
  }

  const ownerName = (id: string) => seal.hash('owner', id);

  const toSubject = createToSubject({ seal, ownerName });

  const insert = prepare((row: { id: string; contact: string; at: number; identity: string | null }) =>
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
  );

  /**
   * A subject that exists once `write` has run. `write` does nothing if another subject with this `identity` was
   * created meanwhile.
   */
  function draft(contact: Contact, identity: string | null = null) {
    const id = newRowId();
    const sealed = seal.seal('subjects.contact', contact);
    return { id, write: insert.of({ id, contact: sealed, at: now(), identity }) };
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
    all().where('address_hash', '=', hash).where('verified', '=', 1).orderBy('created_at').execute();

  /** @throws {AppError} `unauthenticated` when the subject no longer exists because its browser has signed in */
  async function find(id: string): Promise<Subject> {
    const [row] = await byId(store, { id });
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
      const rows = await byIds(store, { ids: JSON.stringify(ids) });
      return new Map(rows.map((row) => [row.id, toSubject(row.id, row)]));
    },

    /** A new anonymous subject, under the address as it was typed. */
    create: (contact: Contact) => create(contact),
    draft: (contact: Contact) => draft(contact),

    /** Stores the contact that an anonymous subject last typed, so that the next form is filled in. */
    async setContact(id: string, contact: Contact): Promise<void> {
      await updateContact(store, { id, contact: seal.seal('subjects.contact', contact) });
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
      const at = now();
      await store
        .updateTable('subjects')
        .set({ visited_at: at })
        .where('id', '=', id)
        .where('visited_at', '<=', at - visitMs)
        .execute();
    },

    /**
     * Up to `limit` subjects whose last visit was at `before` or earlier, behind `after` in the order of visits. Some of
     * them may have live sessions.
     */
    async unvisited(before: number, after: Visit, limit: number): Promise<Visit[]> {
      const rows = await store
        .selectFrom('subjects')
        .select(['id', 'visited_at'])
        .where('visited_at', '<=', before)
        .where('created_at', '<=', before)
        .where(({ eb, refTuple, tuple }) =>
          eb(refTuple('visited_at', 'id'), '>', tuple(after.visitedAt, after.id)),
        )
        .orderBy('visited_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ id: row.id, visitedAt: row.visited_at }));
    },

    /**
     * Checks up to `limit` subjects after the id `after`, in the order of ids. Removes each subject without sessions,
     * grants, sends and offers. Returns the last checked id; null if there was none.
     */
    async removeUnusedBehind(after: string, limit: number): Promise<string | null> {
      const ids = await store
        .selectFrom('subjects')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
      const last = ids.at(-1);
      if (!last) return null;
      await store
        .deleteFrom('subjects')
        .where('id', '>', after)
        .where('id', '<=', last.id)
        .where('created_at', '<', now() - newSubjectMs)
        .where((query) =>
          query.and([
            hasNo(query, 'sessions'),
            hasNo(query, 'grants'),
            hasNo(query, 'operations'),
            isOfferedNothing(query),
          ]),
        )
        .execute();
      return last.id;
    },

    /** The subject with this id at the site. When its address changes, its sessions end. */
    async byIdentity({
      sub,
      email,
      emailVerified,
      name,
    }: Pick<Identity, 'sub' | 'email' | 'emailVerified' | 'name'>): Promise<Subject> {
      const identity = seal.hash('identity', sub);
      const known = () => all().where('identity_hash', '=', identity).executeTakeFirst();
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
      for (let last: string | undefined = ''; last !== undefined;) {
        const rows: { id: string; contact_sealed: string | null }[] = await store
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
        last = rows.at(-1)?.id;
      }
      return found;
    },

    /** Other subjects that have proven the same address by a code alone. They are the same customer. */
    async subjectsWithSameEmail({ id, addressHash: hash }: Subject): Promise<string[]> {
      const proven = hash === null ? [] : await provenBy(hash);
      return proven.filter((row) => row.identity_hash === null && row.id !== id).map((row) => row.id);
    },
  };
}

export type Subjects = ReturnType<typeof createSubjects>;

import type { Contact, SubjectRow } from '../store/schema.ts';
import { openOnce, type Seal } from '../store/seal.ts';

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

/** The maximum number of decrypted contacts in the cache: those of all open streams, and some more. */
const maxOpened = 6_000;

/** `ownerName`: the name of a subject for its browser. */
export function createToSubject({
  seal,
  ownerName,
}: {
  seal: Pick<Seal, 'open'>;
  ownerName: (id: string) => string;
}) {
  const openContact = openOnce(seal, 'subjects.contact', maxOpened);
  return (id: string, row: Omit<SubjectColumns, 'subject_id'>): Subject => {
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
  };
}

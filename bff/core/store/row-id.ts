import { random } from 'nanoid';
import { v7 } from 'uuid';

/**
 * A new id for a row: a UUID of version 7, which begins with the time. Ids of about the same time are neighbours in an
 * index, so they change few of its pages. Random ids change a page each. SECURITY: an id must not serve as a secret.
 */
export const newRowId = (): string => v7({ random: random(16) });

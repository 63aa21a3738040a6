import { random } from 'nanoid';
import { v7 } from 'uuid';

/**
 * A new id for a row: a UUID of version 7, which begins with the time. New ids are then added at the end of an index.
 * Random ids are spread over the whole index, and each of them changes another page. SECURITY: an id is no secret.
 */
export const newRowId = (): string => v7({ random: random(16) });

import type { OperationState } from '../../../shared/contract/tickets.ts';

export interface Named {
  id: string | null;
  key: string | null;
}

export interface Sent extends Named {
  state: OperationState;
}

export const namesOf = ({ id, key }: Named) => [id, key].filter((name) => name !== null);

export const isFinal = ({ state }: Pick<Sent, 'state'>) => state === 'done' || state === 'rejected';

/** Whether an update is out of date: answers can come out of order, and a final state never changes back. */
export const isOutdated = (known: Pick<Sent, 'state'>, update: Pick<Sent, 'state'>) =>
  isFinal(known) && !isFinal(update);

/** The newer of two versions: one with an id is never replaced by one without. */
export const newerVersion = <Item extends Sent>(known: Item | undefined, item: Item): Item =>
  known && ((known.id !== null && item.id === null) || isOutdated(known, item)) ? known : item;

/** A ticket's reference in this app: the key that it was created with, which does not change when it gets an id. */
export const refOf = ({ id, key }: Named): string => key ?? id ?? '';
export const isNamed = (ref: string) => (ticket: Named) => ticket.id === ref || ticket.key === ref;

export const isSame = (a: Named, b: Named) =>
  (a.id !== null && a.id === b.id) || (a.key !== null && a.key === b.key);

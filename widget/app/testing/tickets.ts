import { aTicket } from './fakes.ts';

/** A ticket that the BFF has accepted and the service does not have yet. */
export const waiting = aTicket({ id: null, key: 'key-1', ticket_number: null, state: 'accepted' });
/** The same after the service has refused it. */
export const refused = aTicket({ ...waiting, state: 'rejected', error: 'invalid_request' });

import type { Removal } from '../tickets/removal.ts';
import type { SendRetention } from '../delivery/retention.ts';
import { createOperatorData } from '../use-cases/operator-data.ts';
import type { IdentityModules } from './identity.ts';
import type { Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** Creates the functions by which operators export or forget the data of one person. */
export const createOperatorDataModule = ({
  outside: { now },
  identity: { addressSearch, subjects },
  ticketModules: { customerData },
  sends,
  removal,
}: {
  outside: Pick<Outside, 'now'>;
  identity: Pick<IdentityModules, 'addressSearch' | 'subjects'>;
  ticketModules: Pick<TicketModules, 'customerData'>;
  sends: SendRetention;
  removal: Removal;
}) => createOperatorData({ search: addressSearch, subjects, sends, removal, data: customerData, now });

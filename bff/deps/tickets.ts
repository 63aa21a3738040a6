import { consentsOf } from '../delivery/record.ts';
import { createOperationChanges } from '../delivery/retention.ts';
import { createCustomerData } from '../tickets/customer-data.ts';
import { createGrants } from '../tickets/grants.ts';
import { createOperations } from '../tickets/operations.ts';
import { createThreads } from '../tickets/threads.ts';
import { createTicketRecords, type Customers } from '../tickets/ticket-records.ts';
import { countAgentMessages } from '../tickets/present.ts';
import { createTransfers } from '../tickets/transfers.ts';
import { createViews } from '../tickets/views.ts';
import type { V1Thread } from '../v1/schema.ts';
import type { IdentityModules } from './identity.ts';
import type { NoticeRecords } from './notice-records.ts';
import type { OnError, Outside } from './outside.ts';

/** Creates the modules that decide who may see which ticket, and how it is shown. */
export function createTicketModules({
  outside: { config, store, seal, v1, now, elapsed },
  identity: { sessions, subjects },
  noticeRecords: { notices, isOn },
  onCustomerChange,
  onError,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'seal' | 'v1' | 'now' | 'elapsed'>;
  identity: Pick<IdentityModules, 'sessions' | 'subjects'>;
  noticeRecords: Pick<NoticeRecords, 'notices' | 'isOn'>;
  onCustomerChange: Customers['onChange'];
  onError: OnError;
}) {
  const operations = createOperations(store);
  const operationChanges = createOperationChanges({ now });
  const grants = createGrants({ store, operations: operationChanges, now });
  const transfers = createTransfers({ store, sessions, subjects, grants, operations: operationChanges, now });
  const customers = { hashOf: subjects.addressHash, onChange: onCustomerChange };
  const ticketRecords = createTicketRecords({ store, seal, customers, now });
  const onRead = (ticketId: string, thread: V1Thread) =>
    notices.answersSeen(ticketId, countAgentMessages(thread));
  const threads = createThreads({
    records: ticketRecords,
    v1,
    now,
    elapsed,
    onRead: isOn ? onRead : undefined,
    onError,
  });
  const views = createViews({ store, seal, operations, grants, transfers, subjects, config });
  const customerData = createCustomerData({
    sessions,
    operations,
    views,
    notices,
    consents: { of: (operationIds) => consentsOf(operationIds, store) },
    seal,
    now,
  });
  return { operations, grants, transfers, ticketRecords, threads, views, customerData };
}

export type TicketModules = ReturnType<typeof createTicketModules>;

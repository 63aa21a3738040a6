import type { ReadonlySignal } from '@preact/signals';
import type { Api } from '../api/client.ts';
import type { SessionModel } from '../customer/session.ts';
import type { SyncModel } from '../live/sync.ts';
import type { LoadingModel } from '../thread/loading.ts';
import type { TicketsModel } from './tickets.ts';

interface RefreshOptions {
  api: Pick<Api, 'tickets'>;
  session: SessionModel;
  tickets: TicketsModel;
  sync: SyncModel;
  loading: LoadingModel;
  /** The id or key of the conversation on screen; null if the BFF does not have it. */
  viewedName: ReadonlySignal<string | null>;
  loadSession: () => Promise<void>;
}

/** Reads by plain requests what the stream would bring. Resolves to false when the list could not be read. */
export const createRefresh =
  ({ api, session, tickets, sync, loading, viewedName, loadSession }: RefreshOptions) =>
  async (): Promise<boolean> => {
    const name = viewedName.peek();
    const read = name === null ? null : loading.load(name);
    if (!session.current.peek()) void loadSession();
    const since = tickets.moment();
    const result = await api.tickets();
    if (result.ok) sync.putTickets(result.value, since);
    else tickets.listFailure.value = result.error;
    await read;
    return result.ok;
  };

import type { Diagnosis } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import type { Store } from '../browser/storage.ts';
import type { LiveModel } from './live.ts';

interface DiagnoseOptions {
  api: Pick<Api, 'session'>;
  storage: Store;
  live: Pick<LiveModel, 'status'>;
}

const probe = 'probe';

/** The app's part of the self-check. */
export async function diagnose({ api, storage, live }: DiagnoseOptions): Promise<Diagnosis> {
  const isKept = storage.write(probe, true);
  storage.remove(probe);
  const result = await api.session();
  const status = live.status.peek();
  return {
    storage: isKept,
    api: result.ok ? 'ok' : (result.error.code ?? 'unreachable'),
    live: status === 'late' ? 'off' : status,
  };
}

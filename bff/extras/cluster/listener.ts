import pg from 'pg';
import { forDriver } from '../../core/store/postgres/connections.ts';
import { channel } from './change-log.ts';

const connectMs = 2_000;
/** How often the connection is tested, since a broken one may stay silent. */
const checkMs = 10_000;
const answerMs = 5_000;
const retryMs = 1_000;

/**
 * Listens for the notifications of other instances on a separate connection, which must not go through a pooler. While
 * it cannot listen, the change log is only polled; `isListening` reports this.
 */
export function startListener(url: string, onNotification: () => void) {
  let client: pg.Client | undefined;
  let isListening = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function again(failed: pg.Client): void {
    if (client !== failed || isStopped) return;
    isListening = false;
    client = undefined;
    clearTimeout(timer);
    void failed.end().catch(() => {});
    timer = setTimeout(() => void listen(), retryMs).unref();
  }

  function checkLater(mine: pg.Client): void {
    timer = setTimeout(() => {
      mine.query('select 1').then(
        () => client === mine && checkLater(mine),
        () => again(mine),
      );
    }, checkMs).unref();
  }

  async function listen(): Promise<void> {
    const mine = new pg.Client({
      connectionString: forDriver(url),
      application_name: 'deskside-listener',
      connectionTimeoutMillis: connectMs,
      query_timeout: answerMs,
      keepAlive: true,
    });
    client = mine;
    mine.on('error', () => again(mine)).on('end', () => again(mine));
    mine.on('notification', onNotification);
    try {
      await mine.connect();
      await mine.query(`listen ${channel}`);
      isListening = true;
      // Reads the changes since the previous connection was lost.
      onNotification();
      checkLater(mine);
    } catch {
      again(mine);
    }
  }
  void listen();

  return {
    isListening: (): boolean => isListening,
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

export type Listener = ReturnType<typeof startListener>;

import { setTimeout as sleep } from 'node:timers/promises';
import type { ImapAddress } from './imap-address.ts';
import { createImapClient } from './imap-client.ts';

/*
 * Whether a mail that was sent comes back to the mailbox where answers are read. It changes nothing there: the server
 * takes the mail like any other, and makes nothing of it, since it is its own.
 */

const pauseMs = 1_000;

/**
 * Waits until the folder has a mail with this word in its subject. False: it did not come in time.
 * @throws what the server or the connection said
 */
export async function waitForMail(address: ImapAddress, word: string, timeoutMs: number): Promise<boolean> {
  const client = createImapClient(address, timeoutMs);
  const until = performance.now() + timeoutMs;
  try {
    await client.connect();
    await client.mailboxOpen([...address.folder], { readOnly: true });
    for (;;) {
      const found = await client.search({ subject: word }, { uid: true });
      if (found && found.length > 0) return true;
      if (performance.now() > until) return false;
      await sleep(pauseMs);
      await client.noop();
    }
  } finally {
    client.close();
  }
}

import { afterAll, beforeAll } from 'vitest';
import { hasDovecot, startDovecot } from '../../scripts/dovecot.ts';
import { hasPostfix, startPostfix } from '../../scripts/postfix.ts';

/** Servers that run during the tests of a file. They are started before them if `isThere`, and ended after them. */
export function startedBefore<Servers extends Record<string, { stop(): Promise<void> }>>(
  isThere: boolean,
  start: () => Promise<Servers>,
): Servers {
  const servers = {} as Servers;
  beforeAll(async () => void (isThere && Object.assign(servers, await start())));
  afterAll(async () => {
    for (const each of Object.values(servers)) await each.stop();
  });
  return servers;
}

export const hasBoth = hasDovecot() && hasPostfix();

/** What is sent to Postfix comes into a mailbox of Dovecot. */
export async function startBoth() {
  const dovecot = await startDovecot();
  return { dovecot, postfix: await startPostfix(dovecot.ports.lmtp) };
}

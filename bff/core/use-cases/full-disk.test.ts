import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { fillDisk } from '../../testing/store/full-disk.ts';
import { signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams } from '../../testing/streams.ts';

const hourMs = 3_600_000;

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff({ dataDir: mkdtempSync(join(tmpdir(), 'deskside-full-')), ...withIdentity });
});
afterEach(() => bff.stop());

describe('on a full disk', () => {
  it('an anonymous customer who has never read before reads the ticket and its new answer [overload-34]', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const freeDisk = await fillDisk(bff.store);
    bff.service.addMessage(ticket.id, 'agent', 'We send a new one.');
    expect((await ada.get(paths.session)).status).toBe(200);
    expect((await ada.get(paths.tickets)).data).toHaveLength(1);
    const thread = await ada.get(paths.ticket(ticket.id));
    expect([thread.status, thread.data.messages.at(-1).body]).toEqual([200, 'We send a new one.']);
    expect(bff.logLines.join('')).toMatch(/SQLITE_FULL|53100/);
    await freeDisk();
    bff.clock.offsetMs += 60_000;
    expect((await ada.get(paths.ticket(ticket.id))).data.unread).toBe(1);
  });

  it('a ticket that is gone at the service shows its last known state, closed', async () => {
    const ada = bff.browser();
    const { data: gone } = await ada.openTicket();
    await ada.get(paths.ticket(gone.id));
    bff.clock.offsetMs += 60_000;
    await fillDisk(bff.store);
    bff.service.answer = ({ path }) => (path.includes(gone.id) ? { statusCode: 404 } : undefined);
    const thread = await ada.get(paths.ticket(gone.id));
    expect([thread.status, thread.data.closed]).toEqual([200, true]);
  });

  it('a signed-in customer stays signed in while they read, however long it lasts [overload-35]', async () => {
    const ada = await signedIn(bff, 'ada@example.com');
    await ada.openTicket();
    const freeDisk = await fillDisk(bff.store);
    for (let n = 0; n < 5; n += 1) {
      bff.clock.offsetMs += hourMs / 2;
      expect((await ada.get(paths.tickets)).status).toBe(200);
    }
    await freeDisk();
    expect((await ada.get(paths.tickets)).status).toBe(200);
    bff.clock.offsetMs += hourMs;
    expect((await ada.get(paths.tickets)).status).toBe(401);
  });

  it('a stream opens', async () => {
    const streams = await startStreams(bff);
    const ada = bff.browser();
    await ada.openTicket();
    await fillDisk(bff.store);
    expect((await streams.listen(ada.cookie)).status).toBe(200);
  });

  it('a sign-out that the store refuses is answered 503, and the browser stays signed in until one succeeds [identity-40]', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const { cookie } = ada;
    const freeDisk = await fillDisk(bff.store);
    const refused = await ada.request('DELETE', paths.session);
    expect([refused.status, refused.error.code]).toEqual([503, 'overloaded']);
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect((await ada.get(paths.tickets)).data).toHaveLength(1);
    await freeDisk();
    expect((await ada.request('DELETE', paths.session)).status).toBe(200);
    expect(ada.cookie).toBe('');
    ada.cookie = cookie;
    expect((await ada.get(paths.tickets)).status).toBe(401);
  });
});

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HalfOpen, startHalfOpen } from './half-open.ts';

describe('a connection that can be cut', () => {
  let way: HalfOpen;
  let client: Socket;
  let atServer: Socket;
  const server = createServer();
  const received: string[] = [];

  beforeEach(async () => {
    received.length = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    way = await startHalfOpen((server.address() as AddressInfo).port);
    const accepted = once(server, 'connection');
    client = connect(way.port, '127.0.0.1');
    [atServer] = (await accepted) as [Socket];
    atServer.on('error', () => {});
    atServer.on('data', (bytes) => received.push(String(bytes)));
  });
  afterEach(async () => {
    client.destroy();
    await way.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  const roundTrip = async () => {
    atServer.write('answer');
    await once(client, 'data');
  };

  it('passes bytes both ways until it is cut, and passes those held back once it is healed', async () => {
    client.write('before');
    await once(atServer, 'data');
    await roundTrip();
    way.cut();
    client.write('meanwhile');
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toEqual(['before']);
    way.heal();
    await once(atServer, 'data');
    expect(received).toEqual(['before', 'meanwhile']);
  });

  it('does not tell the server during a cut that the client has gone', async () => {
    await roundTrip();
    way.cut();
    client.destroy();
    await once(client, 'close');
    expect(atServer.destroyed).toBe(false);
    const closed = once(atServer, 'close');
    way.heal();
    await closed;
  });
});

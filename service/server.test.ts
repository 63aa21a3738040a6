import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { startService, type RunningService } from './server.ts';

const running: RunningService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});

async function start(port = '0', lines: string[] = []) {
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const service = await startService(parseConfig({ PORT: port }), openDatabase(':memory:'), log);
  running.push(service);
  return service;
}

describe('startService', () => {
  it('answers on its port, with a Date header', async () => {
    const { port } = await start();
    const response = await fetch(`http://127.0.0.1:${port}/livez`);
    expect(response.status).toBe(200);
    expect(Date.parse(response.headers.get('date') ?? '')).not.toBeNaN();
  });

  it('rejects when the port is taken', async () => {
    const { port } = await start();
    await expect(start(String(port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('stops although a client keeps its connection open', async () => {
    const { port, stop } = await start();
    running.length = 0;
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket, 'close');
    socket.resume();
    await stop();
    await ended;
    await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed');
  });

  it('logs the route of a request, and never its address', async () => {
    const lines: string[] = [];
    const { port } = await start('0', lines);
    for (const path of ['/api/v1/tickets/canary-1?key=canary-2', '/desk/tickets/canary-3', '/canary-4'])
      await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer canary-5' } });
    const requests = lines.filter((line) => line.includes('"request"'));
    expect(requests).toHaveLength(4);
    expect(lines.join()).not.toContain('canary');
    expect(requests[0]).toContain('/api/v1');
  });
});

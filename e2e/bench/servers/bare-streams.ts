import { createServer, type ServerResponse } from 'node:http';

/*
 * A peer that the streams of the BFF are compared with, in a separate process: a bare node:http server. `GET /events`
 * is a stream, and `POST /say` writes its body to all streams. `GET /processor` answers the seconds of processor time
 * used.
 */
const streams = new Set<ServerResponse>();

createServer((request, response) => {
  if (request.url === '/processor') {
    const { user, system } = process.cpuUsage();
    response.end(String((user + system) / 1e6));
    return;
  }
  if (request.url === '/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': hello\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    for (const stream of streams) stream.write(body);
    response.end();
  });
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * A peer that the BFF is compared with, in a separate process: fastify with its proxy plugin, which passes every
 * request on to the service. The packages are in `PEER_DIR`.
 */
interface Fastify {
  register(plugin: unknown, options: object): void;
  listen(options: { port: number; host: string }): Promise<string>;
}

const { PORT, SERVICE_URL, PEER_DIR } = process.env as Record<string, string>;
const requirePeer = createRequire(join(PEER_DIR!, 'package.json'));
const { fastify } = requirePeer('fastify') as { fastify: () => Fastify };

const server = fastify();
server.register(requirePeer('@fastify/http-proxy'), { upstream: SERVICE_URL, undici: { connections: 50 } });
await server.listen({ port: Number(PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));

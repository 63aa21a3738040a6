import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outside } from '../core/wiring.ts';

const dayMs = 86_400_000;

export type TestConfig = Outside['config'];

/**
 * The configuration of a BFF in tests, unless a test changes it.
 * @param timeoutMs of one call to the service
 */
export const testConfig = (timeoutMs: number): TestConfig => ({
  // Those of extras, as parsed. Without this one, housekeeping would not know what is old.
  values: { RETENTION_MAILS_DAYS: 30 * dayMs },
  // Made by what keeps something there.
  dataDir: join(tmpdir(), `deskside-data-${randomUUID()}`),
  publicUrl: 'https://support.test',
  allowedOrigins: ['https://shop.test', 'https://other.test'],
  brand: 'Acme',
  brandColor: null,
  brandLogo: null,
  notice: null,
  links: [],
  hasFooter: true,
  settleMs: 600_000,
  leaseMs: 3 * timeoutMs,
  watchActiveMs: 100,
  watchIdleMs: 100,
  readsPerSecond: 20,
  identity: {
    secret: undefined,
    publicKey: undefined,
    jwksUrl: undefined,
    audience: 'https://support.test',
  },
  schedule: null,
  replyTime: { count: 2, unit: 'hour' },
  webhookSecrets: [],
  trustedProxies: 1,
  pow: 'off',
  retention: { rejectedMs: 30 * dayMs, undecidedMs: 30 * dayMs, unvisitedMs: 365 * dayMs },
  clientOrigins: [],
  hasPlayground: false,
  limits: {
    ticketsPerSession: 1_000,
    ticketsPerIp: 1_000,
    ticketsPerAddress: 1_000,
    messagesPerSession: 1_000,
    requestsPerIp: 600,
    streamsPerIp: 60,
  },
});

import type { Config } from '../../core/config.ts';

/** The limits of a BFF whose operator sets none. */
export const usualLimits: Config['limits'] = {
  ticketsPerSession: 5,
  ticketsPerIp: 10,
  ticketsPerAddress: 3,
  messagesPerSession: 20,
  requestsPerIp: 600,
  streamsPerIp: 60,
};

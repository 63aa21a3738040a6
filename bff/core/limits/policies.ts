import type { Config } from '../config.ts';

export interface Policy {
  /** Maximum count in one window. A window starts with its first request. */
  points: number;
  windowSec: number;
  /** Also counts requests of others for an address that the visitor only typed, so no answer says how much is left. */
  isPrivate?: true;
}

const minute = 60;
const hour = 3_600;
const day = 86_400;

/**
 * Every rate limit, by name. The end of the name says what it is counted by; `session` means the subject that the
 * session acts for, on all devices.
 */
export function policiesOf(settings: Config['limits']) {
  return {
    'tickets-session': { points: settings.ticketsPerSession, windowSec: hour },
    'tickets-ip': { points: settings.ticketsPerIp, windowSec: hour },
    // For one network, and for all. An attacker who uses up an address leaves points for its owner in another
    // network.
    'tickets-address-network': { points: settings.ticketsPerAddress, windowSec: day, isPrivate: true },
    'tickets-address': { points: 10 * settings.ticketsPerAddress, windowSec: day, isPrivate: true },
    'messages-session': { points: settings.messagesPerSession, windowSec: minute },
    // Used by every first ticket, and by asking for a code.
    'sessions-ip': { points: 2 * settings.ticketsPerIp, windowSec: hour },
    'codes-session': { points: 3, windowSec: hour },
    'codes-address': { points: 3, windowSec: hour, isPrivate: true },
    'codes-address-day': { points: 10, windowSec: day, isPrivate: true },
    'codes-ip': { points: 10, windowSec: hour },
    'code-checks-ip': { points: 30, windowSec: hour },
    'identity-ip': { points: 60, windowSec: minute },
    'handoffs-session': { points: 10, windowSec: hour },
    // A waiting device asks every two seconds for ten minutes.
    'redeems-ip': { points: 400, windowSec: 10 * minute },
    'hooks-ip': { points: 120, windowSec: minute },
    'unsubscribe-ip': { points: 60, windowSec: minute },
    // For one ticket, or without one. Ends loops between two machines.
    'mails-address': { points: 60, windowSec: day, isPrivate: true },
    // The answer to a mail that belongs to no ticket. Whoever is named as its sender may not have written it.
    'mail-answers-address': { points: 1, windowSec: day, isPrivate: true },
    'mail-answers': { points: 20, windowSec: hour, isPrivate: true },
    'mail-tickets': { points: 100, windowSec: hour, isPrivate: true },
    'files-session': { points: 100, windowSec: hour },
    'files-ip': { points: 500, windowSec: hour },
    // Links to files that do not exist, or not any more.
    'file-links-ip': { points: 60, windowSec: minute },
    'votes-ip': { points: 30, windowSec: hour },
    'requests-ip': { points: settings.requestsPerIp, windowSec: minute },
    // Includes files and unknown paths. The default of 3,000 is an office of 1,000 people who each open three pages.
    'anything-ip': { points: 5 * settings.requestsPerIp, windowSec: minute },
  } satisfies Record<string, Policy>;
}

export type PolicyName = keyof ReturnType<typeof policiesOf>;

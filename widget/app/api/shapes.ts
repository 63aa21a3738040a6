import type { ServerEventName, ServerEvents } from '../../../shared/contract/events.ts';

/** Checks the one member that identifies a shape. The rest is trusted: it comes from the BFF on the same origin. */
export const has = (value: unknown, member: string): boolean => member in Object(value);

const telling: Record<ServerEventName, string> = {
  sync: 'tickets',
  ticket: 'status',
  message: 'message',
  operation: 'key',
  session: 'customer',
  freshness: 'fresh',
};

/** One server event with its data, by name. */
export type ServerEvent = {
  [Name in ServerEventName]: { name: Name; data: ServerEvents[Name] };
}[ServerEventName];

/** Whether its name and shape are known. */
export function isServerEvent(value: unknown): value is ServerEvent {
  const { name, data } = Object(value) as { name?: unknown; data?: unknown };
  return Object.hasOwn(telling, name as string) && has(data, telling[name as ServerEventName]);
}

/** The event, or null when its name or shape is unknown: a newer server may send more. */
export function readEvent(name: string, json: string): ServerEvent | null {
  try {
    const event: unknown = { name, data: JSON.parse(json) };
    return isServerEvent(event) ? event : null;
  } catch {
    return null;
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The shape of keys, and of devices in a handoff. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** Excludes `.` and `..` in any spelling, since URL parsers treat them as steps to another path. */
const segment = /^(?!(.*[/\\])?(\.|%2e){1,2}([/\\?#\s]|$))[^\p{Cc}\p{Cs}]{1,200}$/isu;

/**
 * Whether a ticket can have this id. v1 promises UUIDs, but other services may use any text that can be encoded as
 * one segment of a path. Access is decided by grants, not by this check.
 */
export const isTicketId = (text: string): boolean => segment.test(text);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The shape of keys, and of devices in a handoff. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** Without `.` and `..` in any spelling: parsers of URLs take those for steps to another path. */
const segment = /^(?!(.*[/\\])?(\.|%2e){1,2}([/\\?#\s]|$))[^\p{Cc}\p{Cs}]{1,200}$/isu;

/**
 * Whether a ticket can have this id. v1 promises UUIDs; other services may send any text that can stand, encoded, as one
 * segment of a path. Whose ticket it is, grants decide.
 */
export const isTicketId = (text: string): boolean => segment.test(text);

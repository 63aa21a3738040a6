const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The shape of keys, and of devices in a hand-off. Ids of tickets may have any shape: grants decide on them. */
export const isUuid = (text: string): boolean => uuid.test(text);

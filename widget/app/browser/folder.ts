/**
 * The path that the BFF is under, such as `/support`. Empty at the root, and where the build renders the documents.
 * Another BFF may be under another path of the same host.
 */
export const folder = globalThis.location?.pathname.split('/').slice(0, -1).join('/') ?? '';

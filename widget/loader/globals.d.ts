/** Path of the built guest, content hash included, up to its query; the build writes it in. */
declare const __GUEST_PATH__: string;

/** Version of the whole, out of package.json. */
declare const __DESKSIDE_VERSION__: string;

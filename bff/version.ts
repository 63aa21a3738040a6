declare const __DESKSIDE_VERSION__: string | undefined;

/** The version of this build. A run from the source tree has none. */
export const version = typeof __DESKSIDE_VERSION__ === 'undefined' ? '0.0.0-source' : __DESKSIDE_VERSION__;

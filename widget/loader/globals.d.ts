/** Path of the deferred script with its content hash, up to and including the `?`; set by the build. */
declare const __DEFERRED_PATH__: string;

/** `version` of package.json. */
declare const __DESKSIDE_VERSION__: string;

/** Not in every browser. */
interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}

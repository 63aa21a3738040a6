/** Path of the deferred script with its content hash, up to and including the `?`; set by the build. */
declare const __DEFERRED_PATH__: string;

/** Its hash, as the attribute `integrity` has it; set by the build. */
declare const __DEFERRED_HASH__: string;

/** `version` of package.json. */
declare const __DESKSIDE_VERSION__: string;

/** Not in every browser. */
interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}

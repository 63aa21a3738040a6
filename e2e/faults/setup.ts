/** Once before all files: two builds at a time would write the same `dist/`. */
export { buildIfNeeded as setup } from '../../scripts/build-if-needed.ts';

/** Runs once before all files, because two simultaneous builds would write the same `dist/`. */
export { buildIfNeeded as setup } from '../../scripts/build-if-needed.ts';

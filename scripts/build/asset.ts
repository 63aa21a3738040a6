import { createHash } from 'node:crypto';
import { paths } from '../../shared/contract/paths.ts';

export interface Asset {
  code: string;
  /** As the BFF serves it. */
  path: string;
}

/** A script under a name that changes with its content, so that browsers may keep it for good: 48 bits of its hash. */
export function asset(name: string, code: string): Asset {
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8);
  return { code, path: `${paths.assets}/${name}-${hash}.js` };
}

import { createHash } from 'node:crypto';

/** A path that changes with the content, so browsers may keep the file for good. */
export function hashedPath(name: string, content: string, ending: 'css' | 'js'): string {
  return `/desk/${name}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${ending}`;
}

import { fileLinkPath } from '../../../shared/contract/files.ts';
import { percentEncoded } from '../../../shared/text/percent.ts';
import type { Core } from '../../core/wiring.ts';

/** The links of files. Only who got the link can open a file: the token is made from the secret key, and not stored. */
export function createLinks({ seal }: Pick<Core, 'seal'>, host: string) {
  return {
    /** 128 bits, as 22 characters. */
    tokenOf: (id: string): string =>
      Buffer.from(seal.hash('file-link', id), 'base64url').subarray(0, 16).toString('base64url'),
    /** What is stored of a token. */
    hashOf: (token: string): string => seal.hash('file', token),
    urlOf: (token: string, name: string): string => `${host}${fileLinkPath}/${token}/${percentEncoded(name)}`,
  };
}

export type Links = ReturnType<typeof createLinks>;

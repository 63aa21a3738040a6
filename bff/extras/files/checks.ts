import { existsSync } from 'node:fs';
import { request } from 'undici';
import { filesPath } from '../../../shared/contract/files.ts';
import { versionHeader } from '../../../shared/contract/paths.ts';
import { explainConnection } from '../../core/connection-errors.ts';
import { type Check, type CheckContext, fail, ok, warn } from '../../core/operator/check.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { folderIn, storeOf } from './storage.ts';
import { createScanner } from './scan.ts';
import { fileSettings } from './settings.ts';

/** Tries what files need: their store, the way to it, their host and their scanner. It takes no file. */
export function fileChecks({ config, patienceMs }: CheckContext): Check[] {
  const values = () => valuesOf(fileSettings, config().values);
  const off = 'FILES is off';
  return [
    {
      name: 'files-store',
      needs: ['configuration'],
      fix: 'Let the user who runs the BFF write to the folder files in DATA_DIR, or correct FILES_URL.',
      async run() {
        if (values().FILES === 'off') return ok(off);
        const { dataDir, place } = config();
        if (values().FILES_URL === undefined && !existsSync(folderIn(dataDir)))
          return ok(`${folderIn(dataDir)} does not exist: the first file makes it`);
        const store = storeOf(values(), dataDir);
        const problem = await store.check();
        if (problem !== null) return fail(problem);
        return 'databaseUrl' in place && values().FILES_URL === undefined
          ? warn(
              'files are in a folder of this machine, which other instances do not have',
              'Set FILES_URL if several instances run, or let DATA_DIR/files be one folder for all of them.',
            )
          : ok(`files are written, read and removed at ${store.location}`);
      },
    },
    {
      name: 'files-proxy',
      needs: ['public-gate'],
      fix: 'Let the proxy pass larger requests on: client_max_body_size in nginx, LimitRequestBody in Apache.',
      async run() {
        const { FILES, FILES_MAX_BYTES } = values();
        if (FILES === 'off') return ok(off);
        const late = AbortSignal.timeout(patienceMs);
        // As large as a file, and refused by the BFF for its headers.
        const answer = await request(config().publicUrl + filesPath, {
          method: 'POST',
          body: Buffer.alloc(FILES_MAX_BYTES),
          signal: late,
        }).catch((error: unknown) => {
          if (!late.aborted) throw error;
        });
        if (!answer) return warn(`${FILES_MAX_BYTES} bytes did not arrive within ${patienceMs / 1_000} s`);
        const { statusCode, headers, body } = answer;
        await body.dump();
        return headers[versionHeader.toLowerCase()] === undefined
          ? fail(
              `a proxy answers ${statusCode} to a request of ${FILES_MAX_BYTES} bytes, as large as a file may be`,
            )
          : ok('requests as large as a file reach the BFF');
      },
    },
    {
      name: 'files-host',
      needs: ['configuration'],
      fix: '',
      run() {
        if (values().FILES === 'off') return ok(off);
        return ok(
          values().FILES_HOST === undefined
            ? 'files of customers are served at PUBLIC_URL; a host of their own is safer (FILES_HOST)'
            : 'files have a host of their own',
        );
      },
    },
    {
      name: 'files-scanner',
      needs: ['configuration'],
      fix: 'Start clamd with TCPSocket, and let this machine connect to FILES_SCAN: until then no file is taken.',
      async run() {
        const { FILES, FILES_SCAN } = values();
        if (FILES === 'off') return ok(off);
        if (FILES_SCAN === undefined) return ok('FILES_SCAN is not set: files are not scanned');
        try {
          await createScanner(FILES_SCAN).ping();
          return ok('the scanner answers');
        } catch (error) {
          return fail(explainConnection(error) ?? (error as Error).message);
        }
      },
    },
  ];
}

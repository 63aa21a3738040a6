import { join } from 'node:path';
import { Readable } from 'node:stream';
import { asBuffer, inPieces } from '../../core/bytes.ts';
import { AppError } from '../../core/errors.ts';
import { fileLinkPath, filesPath } from '../../../shared/contract/files.ts';
import type { Part } from '../../core/part.ts';
import type { StoredFiles } from '../../core/use-cases/received.ts';
import type { ValuesOf } from '../../core/settings/settings.ts';
import type { Core } from '../../core/wiring.ts';
import { createDaily } from './daily.ts';
import { arrivalsIn, createFolderStore } from './folder-store.ts';
import { usualTypes } from './kinds.ts';
import type { Links } from './links.ts';
import { createSlots } from './slots.ts';
import { linkRoutes, uploadRoutes } from './routes.ts';
import { createRows } from './rows.ts';
import { createS3Store } from './s3-store.ts';
import { createScanner } from './scan.ts';
import type { fileSettings } from './settings.ts';
import type { FileStore } from './store.ts';
import { createUploads } from './upload.ts';

/*
 * Connects what takes, keeps, serves and removes the bytes of files. It does not know to which messages they belong:
 * `extra.ts` connects that.
 */

type FileValues = ValuesOf<(typeof fileSettings)['shape']>;

/** The folder of files, and of those that arrive, in `DATA_DIR`. */
export const folderIn = (dataDir: string): string => join(dataDir, 'files');

export const storeOf = ({ FILES_URL: url }: Pick<FileValues, 'FILES_URL'>, dataDir: string): FileStore =>
  url === undefined ? createFolderStore(folderIn(dataDir)) : createS3Store(url);

/** Why a file itself is not taken. */
const refusals = new Set<string>(['payload_too_large', 'unsupported_media_type']);

/** The bytes of files that were removed go first, so that a row names them until they are gone. */
const removalOf =
  (
    rows: Pick<ReturnType<typeof createRows>, 'expired' | 'remove'>,
    files: FileStore,
    keepMs: number | null,
  ) =>
  async (limit: number): Promise<number> => {
    const ids = await rows.expired(keepMs, limit);
    for (const id of ids) {
      await files.remove(id);
      await rows.remove(id);
    }
    return ids.length;
  };

export function createStorage(
  core: Core,
  {
    values,
    links,
    files = storeOf(values, core.config.dataDir),
  }: { values: FileValues; links: Links; files?: FileStore },
) {
  const { store, seal, limits, log, declare, metrics, now, report } = core;
  const rows = createRows({ store, seal, now, linkHashOf: (id) => links.hashOf(links.tokenOf(id)) });
  const days = values.RETENTION_FILES_DAYS;
  const keepMs = days > 0 ? days * 86_400_000 : null;
  const remove = removalOf(rows, files, keepMs);
  const maxBytes = values.FILES_MAX_BYTES;
  const outcomes = declare.counter({
    name: 'deskside_files_total',
    help: 'Files that customers have uploaded, by outcome: taken, repeated, refused_type, refused_size, infected, cut, failed.',
    labelNames: ['outcome'],
  });
  const bytesTaken = declare.counter({
    name: 'deskside_file_bytes_total',
    help: 'Bytes of the files that were taken.',
  });
  const opened = declare.counter({
    name: 'deskside_file_links_total',
    help: 'Requests for links of files, by answer: opened, unchanged, not_found.',
    labelNames: ['answer'],
  });
  if (values.FILES !== 'on') return { chores: [remove] } satisfies Part;

  const onStoreAway = report('file_store_failed');
  const uploads = createUploads({
    rows,
    files,
    scanner: values.FILES_SCAN === undefined ? null : createScanner(values.FILES_SCAN),
    folder: arrivalsIn(folderIn(core.config.dataDir)),
    maxBytes,
    types: values.FILES_TYPES ?? usualTypes,
    now,
    onOutcome(outcome, bytes) {
      outcomes.inc({ outcome });
      bytesTaken.inc(bytes);
    },
    onStoreAway,
    onScannerAway: report('file_scanner_failed'),
  });
  const daily = createDaily({
    maxBytes: values.FILES_DAILY_BYTES,
    bytesSince: rows.bytesSince,
    now,
    onFull() {
      metrics.limitRefusals.inc({ limit: 'files-day' });
      log.report('files_day_full');
    },
  });
  const slots = createSlots({ onRefused: (limit) => metrics.limitRefusals.inc({ limit }) });

  return {
    async storeFiles(received, subjectId, key) {
      const stored: StoredFiles = { ids: [], refused: [] };
      for (const [nth, { name, content }] of received.entries()) {
        const uploadKey = `${key}/${nth}`;
        const hasRoom = stored.ids.length < values.FILES_MAX_COUNT && (await daily.hasRoom());
        const known = await rows.byKey(subjectId, uploadKey);
        if (known?.refused === null) stored.ids.push(known.id);
        else if (known || !hasRoom) stored.refused.push(name);
        else
          try {
            const body = Readable.from(inPieces(asBuffer(content)));
            const { id } = await uploads.take({ subjectId, key: uploadKey, name, body });
            stored.ids.push(id);
          } catch (error) {
            // All else is tried again: the store of files is away, or another process keeps the same file now.
            if (!(error instanceof AppError) || !refusals.has(error.code)) throw error;
            stored.refused.push(name);
          }
      }
      return stored;
    },
    uploads: [filesPath],
    routes: () => ({
      [filesPath]: uploadRoutes({ core, uploads, daily, slots, maxBytes }),
      [fileLinkPath]: linkRoutes({
        limits,
        links,
        rows,
        files,
        opened,
        onStoreAway,
        onMissing: () => log.report('file_missing'),
      }),
    }),
    ...(values.FILES_HOST !== undefined && {
      ownHost: { host: new URL(values.FILES_HOST).host, path: fileLinkPath },
    }),
    chores: [
      remove,
      async () => {
        await uploads.removeAbandoned();
        return 0;
      },
    ],
    release: (beforeMs: number) => uploads.removeAbandoned(beforeMs),
  } satisfies Part;
}

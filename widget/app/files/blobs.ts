import { databaseName } from './contents.ts';

/** The content of a file, and where its upload is. */
export interface StoredFile {
  key: string;
  /** Not a Blob, which Safari does not store in a private window. */
  bytes: ArrayBuffer;
  /** Media type of a picture that browsers show; empty for all others. */
  picture: string;
  name: string;
  /** When it was added; milliseconds since the epoch. */
  at: number;
  /** `Idempotency-Key` of its upload. */
  upload: string;
  /** The owner whose session uploads it; null: an anonymous one. */
  owner?: string | null;
  /** The BFF's. */
  id?: string;
}

/**
 * Contents of files in IndexedDB, by their keys; in memory where that is denied or full. It does not know whose they
 * are: a file is reached only by a draft or a send that names it.
 */
export interface Blobs {
  read: (key: string) => Promise<StoredFile | undefined>;
  /** False when it is in memory only. */
  write: (file: StoredFile) => Promise<boolean>;
  remove: (key: string) => Promise<void>;
  /** Keys of the files that were added before `at`. */
  before: (at: number) => Promise<string[]>;
}

const storeName = 'files';
const byTime = 'at';

const resultOf = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });

function openDatabase(factory: () => IDBFactory): Promise<IDBDatabase> {
  const request = factory().open(databaseName, 1);
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore(storeName, { keyPath: 'key' }).createIndex(byTime, byTime),
  );
  return resultOf(request);
}

/** `factory` may throw: where storage is denied, reading `indexedDB` can. */
export function createBlobs(factory: () => IDBFactory = () => indexedDB): Blobs {
  const memory = new Map<string, StoredFile>();
  let database: Promise<IDBDatabase> | undefined;

  /** Null when the browser refuses. */
  async function attempt<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>) {
    try {
      const transaction = (await (database ??= openDatabase(factory))).transaction(storeName, mode);
      const isDone = new Promise((resolve, reject) => {
        transaction.addEventListener('complete', resolve);
        transaction.addEventListener('abort', reject);
      });
      const value = await resultOf(use(transaction.objectStore(storeName)));
      // A full disk shows only then.
      await isDone;
      return { value };
    } catch {
      // The browser may have closed it, as Safari does with pages in the background.
      database = undefined;
      return null;
    }
  }

  return {
    read: async (key) =>
      memory.get(key) ??
      (await attempt<StoredFile | undefined>('readonly', (store) => store.get(key)))?.value,
    async write(file) {
      memory.set(file.key, file);
      const isKept = (await attempt('readwrite', (store) => store.put(file))) !== null;
      if (isKept) memory.delete(file.key);
      return isKept;
    },
    async remove(key) {
      memory.delete(key);
      await attempt('readwrite', (store) => store.delete(key));
    },
    async before(at) {
      const range = () => IDBKeyRange.upperBound(at);
      const stored = await attempt('readonly', (store) => store.index(byTime).getAllKeys(range()));
      const unkept = [...memory.values()].filter((file) => file.at <= at).map(({ key }) => key);
      return [...((stored?.value ?? []) as string[]), ...unkept];
    },
  };
}

import { folder } from './storage.ts';

/** Runs one sender at a time across the tabs of this browser. */
export type Lock = (run: () => Promise<void>, name?: string) => Promise<void>;

/** A tab that has the lock for longer may be frozen. Many sends, or a proof of work, can take almost as long. */
const lockWaitMs = 30_000;

/**
 * A lock across the tabs of this browser. If Web Locks are missing or denied, or another tab has the lock for too long,
 * it runs without one. Two tabs may then send the same, which the server detects by the idempotency key.
 */
export const tabLock: Lock = async (run, name = 'outbox') => {
  let isHeld = false;
  try {
    await navigator.locks.request(
      `deskside${folder}-${name}`,
      { signal: AbortSignal.timeout(lockWaitMs) },
      () => {
        isHeld = true;
        return run();
      },
    );
  } catch (error) {
    if (isHeld) throw error;
    await run();
  }
};

/** A random UUID; the browser's own `randomUUID` is missing on plain HTTP. */
export const newUuid = () =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    (crypto.getRandomValues(new Uint8Array(1))[0]! % 16).toString(16),
  );

/** A request to the BFF. Its paths are relative to the document, since the BFF may be under a path of its host. */
export const fetchBff: typeof fetch = (path, options) => fetch(`.${path as string}`, options);

/** Adds styles to the document. */
export function adoptStyles(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
}

/** The event of the document when files are dropped or pasted. Its `detail` has them. */
export const refusedMark = 'refused';

/** Files that were dropped or pasted before the app was there. */
export const early: { [refusedMark]?: File[] } = globalThis.document as object;

/**
 * Keeps the page when something is dropped on it: the browser would open a file or a link in its place. Texts and links
 * can still be dropped into fields. Files that are dropped or pasted are refused, unless `files/` takes them.
 */
export function refuseFiles(): void {
  function refuse({ files }: DataTransfer) {
    document.dispatchEvent(new CustomEvent(refusedMark, { detail: (early[refusedMark] = [...files]) }));
  }
  const isFile = (data: DataTransfer | null) => data?.types.includes('Files');
  const isField = (target: EventTarget | null) =>
    target instanceof Element && target.matches('input, textarea');
  for (const type of ['dragover', 'drop'] as const)
    addEventListener(type, (event) => {
      if (isField(event.target) && !isFile(event.dataTransfer)) return;
      event.preventDefault();
      if (type === 'drop' && isFile(event.dataTransfer)) refuse(event.dataTransfer!);
    });
  addEventListener('paste', (event) => {
    const { clipboardData } = event;
    // Programs copy a text also as a picture of it.
    if (!isFile(clipboardData) || clipboardData!.types.includes('text/plain')) return;
    event.preventDefault();
    refuse(clipboardData!);
  });
}

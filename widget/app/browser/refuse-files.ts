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
  for (const type of ['dragover', 'drop'] as const)
    addEventListener(type, (event) => {
      const isFiles = isFile(event.dataTransfer);
      // The target may be a text, or the document.
      if (!isFiles && (event.target as Partial<Element>).matches?.('input, textarea')) return;
      event.preventDefault();
      if (type === 'drop' && isFiles) refuse(event.dataTransfer!);
    });
  addEventListener('paste', (event) => {
    const data = event.clipboardData!;
    // Programs copy a text also as a picture of it, and macOS a file also as its name.
    const text = data.getData('text');
    if (!isFile(data) || (text && !text.includes(data.files[0]!.name))) return;
    event.preventDefault();
    refuse(data);
  });
}

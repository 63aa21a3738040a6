/** The event of the document when a file was refused, and the `data-` attribute of the root element from then on. */
export const refusedMark = 'refused';

/**
 * Keeps the page when something is dropped on it: the browser would open a file or a link in its place. Texts and links
 * can still be dropped into fields. Files that are dropped or pasted are refused.
 */
export function refuseFiles(): void {
  function refuse() {
    document.documentElement.dataset[refusedMark] = '';
    document.dispatchEvent(new Event(refusedMark));
  }
  const isFile = (data: DataTransfer | null) => data?.types.includes('Files');
  const isField = (target: EventTarget | null) =>
    target instanceof Element && target.matches('input, textarea');
  for (const type of ['dragover', 'drop'] as const)
    addEventListener(type, (event) => {
      if (isField(event.target) && !isFile(event.dataTransfer)) return;
      event.preventDefault();
      if (type === 'drop' && isFile(event.dataTransfer)) refuse();
    });
  addEventListener('paste', (event) => {
    const { clipboardData } = event;
    // Programs copy a text also as a picture of it.
    if (!isFile(clipboardData) || clipboardData!.types.includes('text/plain')) return;
    event.preventDefault();
    refuse();
  });
}

import type { Sentences } from '../sentences/sentences.ts';

/**
 * Takes files by a button, from the clipboard, and dropped on the answer. The desk keeps each, and its line comes below
 * the text: deleting the line takes the file back.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function attachFiles(texts: Sentences['script']): void {
  const answer = document.querySelector<HTMLTextAreaElement>('#answer');
  const button = document.querySelector<HTMLButtonElement>('#attach');
  const state = document.querySelector<HTMLOutputElement>('#attach-state');
  if (!answer || !button || !state) return;
  const chooser = document.createElement('input');
  chooser.type = 'file';
  chooser.multiple = true;
  let underWay = 0;

  /** As the reader sees it, turned upright. */
  const pixelsOf = async (file: File) => {
    if (!file.type.startsWith('image/')) return '';
    try {
      const { width, height } = await createImageBitmap(file);
      return `?width=${width}&height=${height}`;
    } catch {
      return '';
    }
  };
  const add = (line: string) => {
    const text = answer.value.trimEnd();
    const last = text.slice(text.lastIndexOf('\n') + 1);
    const gap = text === '' ? '' : last.startsWith('File: ') ? '\n' : '\n\n';
    answer.setRangeText(`${gap}${line}`, text.length, answer.value.length, 'preserve');
    answer.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const send = async (file: File) => {
    state.textContent = texts.attaching(file.name);
    try {
      const response = await fetch(`/desk/files${await pixelsOf(file)}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'x-file-name': encodeURIComponent(file.name), 'content-type': 'application/octet-stream' },
        body: file,
      });
      if (response.status !== 201)
        throw new Error(response.status === 413 ? texts.attachTooLarge : texts.attachFailed(file.name));
      add(await response.text());
      return '';
    } catch (error) {
      return error instanceof TypeError ? texts.attachFailed(file.name) : (error as Error).message;
    }
  };
  const take = async (files: readonly File[]) => {
    const faults: string[] = [];
    underWay += 1;
    // One after the other, so that their lines are in order.
    for (const file of files) faults.push(await send(file));
    underWay -= 1;
    if (underWay === 0) state.textContent = faults.filter(Boolean).join(' ');
  };

  button.hidden = false;
  button.addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', () => {
    void take([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  answer.addEventListener('paste', (event) => {
    const data = event.clipboardData;
    // A text that was copied comes with a picture of itself from some programs.
    if (!data || data.files.length === 0 || data.types.includes('text/plain')) return;
    event.preventDefault();
    void take([...data.files]);
  });
  const card = answer.closest('.write')!;
  card.addEventListener('dragover', (event) => {
    if ((event as DragEvent).dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  card.addEventListener('drop', (event) => {
    const files = [...((event as DragEvent).dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void take(files);
  });
  answer.form!.addEventListener('submit', (event) => {
    if (underWay > 0) event.preventDefault();
  });
}

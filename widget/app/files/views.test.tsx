import { signal } from '@preact/signals';
import { fireEvent, screen, within } from '@testing-library/preact';
import { expect, it } from 'vitest';
import { en } from '../../../shared/i18n/en.ts';
import { createSite } from '../site/site.tsx';
import { aTicket, http } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';
import type { FilesModel } from './model.ts';
import { AttachButtons } from '../site/AttachButtons.tsx';
import { createSizes } from './sizes.ts';
import { aFile, cut, everything, fakeUpload, filesOf, newBlobs, rules } from './test-files.ts';
import { fileViews } from './views.tsx';

prepareScreen();

async function show(
  { answer, blobs }: { answer?: Parameters<typeof fakeUpload>[0]; blobs?: ReturnType<typeof newBlobs> } = {},
  options: Parameters<typeof showApp>[0] = {},
) {
  let model: FilesModel;
  const app = await showApp({
    ...options,
    site: (_newTicket, models) => {
      model = filesOf(models, { upload: fakeUpload(answer).upload, ...(blobs && { blobs }) });
      const siteRules = { ...rules, sentences: en.site.files, screenshot: en.site.screenshot };
      return {
        ...createSite({ sentences: {} }, 'en'),
        ...fileViews({ model, rules: siteRules, sizes: createSizes('en'), isDropping: signal(false) }),
        AttachButton: ({ app: shown, name = 'new' }) => (
          <AttachButtons app={shown} rules={siteRules} onFiles={(files) => model.add(name, files)} />
        ),
      };
    },
  });
  return { ...app, model: model! };
}

const chosen = (root: HTMLElement, ...files: File[]) => {
  const input = root.querySelector<HTMLInputElement>('input[type=file]')!;
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  fireEvent.change(input);
};

const chips = () => within(screen.getByRole('list', { name: 'Attached files' })).getAllByRole('listitem');

it('a chosen file is a chip with its name and size, and what was done is said', async () => {
  const { root } = await show();
  chosen(root, aFile('a very long name of a file.txt', 'x'.repeat(900)));
  await everything();
  const [chip] = chips();
  expect(chip!.textContent).toContain('a very long name of a file.txt');
  expect(chip!.textContent).toContain('1 kB');
  expect(screen.getByText('a very long name of a file.txt uploaded')).toBeDefined();
  expect(root.querySelector<HTMLInputElement>('input[type=file]')!.accept).toBe('image/*,text/plain');
});

it('a removed file gives the focus to the next one, the last one to the button', async () => {
  const { root } = await show();
  chosen(root, aFile('1.txt'), aFile('2.txt'));
  await everything();
  fireEvent.click(screen.getByRole('button', { name: 'Remove 1.txt' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove 2.txt' }));
  fireEvent.click(screen.getByRole('button', { name: 'Remove 2.txt' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Attach files' }));
  await everything();
  expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull();
});

it('a file that the network holds up can be tried again; one of a wrong type cannot', async () => {
  let isDown = true;
  const { root } = await show({
    answer: (name) => (name === 'odd' ? http('unsupported_media_type') : isDown ? cut : null),
  });
  chosen(root, aFile('fine.txt'), aFile('odd', 'x', ''));
  await everything();
  const [held, refused] = chips();
  expect(held!.textContent).toContain(en.site.files.retrying);
  expect(within(refused!).queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(refused!.textContent).toContain('“odd” is a kind of file');
  isDown = false;
  fireEvent.click(within(held!).getByRole('button', { name: 'Try again' }));
  await everything();
  expect(chips()[0]!.className).not.toContain('waiting');
});

it('files that cannot be stored are said to be lost by a reload', async () => {
  const { root } = await show({ blobs: newBlobs() });
  chosen(root, aFile());
  await everything();
  expect(screen.getByText(en.site.files.unkept)).toBeDefined();
});

it('a reply with files alone can be sent, waits for them, and can be taken back to where it was written', async () => {
  const { root, models } = await show({ answer: () => http('payload_too_large') }, { tickets: [aTicket()] });
  models.view.go({ name: 'thread', ref: 't1' });
  await everything();
  const send = screen.getByRole('button', { name: 'Send reply' });
  expect(send.ariaDisabled ?? send.getAttribute('aria-disabled')).toBe('true');
  chosen(root, aFile());
  await everything();
  expect(send.getAttribute('aria-disabled')).toBe('false');
  fireEvent.submit(send.closest('form')!);
  await everything();
  expect(screen.getByText(/Waiting for 1 file…/)).toBeDefined();
  expect(screen.getByText(/is larger than 1 kB/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Edit message' }));
  await everything();
  expect(models.outbox.sends.value).toEqual([]);
  expect(chips().length).toBe(1);
});

import { signal } from '@preact/signals';
import { fireEvent, screen } from '@testing-library/preact';
import { afterEach, expect, it, vi } from 'vitest';
import type { Site } from '../../../shared/contract/site.ts';
import { en } from '../../../shared/i18n/en.ts';
import { databaseName } from '../files/contents.ts';
import { settle } from '../testing/fakes.ts';
import { prepareScreen, showApp } from '../testing/screen.tsx';
import { loadSite } from './site.tsx';

const take = vi.fn<(name: string, files: readonly File[]) => void>();
const createFiles = vi.fn<() => object>(() => ({ FileChips: () => null, Uploads: () => null, take }));
vi.mock('../files/files.ts', () => ({ createFiles: () => createFiles() }));

prepareScreen();
afterEach(() => vi.clearAllMocks());

const site: Site = {
  sentences: {},
  files: {
    maxCount: 5,
    maxBytes: 1_000_000,
    types: ['image/*'],
    sentences: en.site.files,
    screenshot: en.site.screenshot,
  },
};

/** `databases`: names of those that the browser has. */
async function show(databases: string[]) {
  vi.stubGlobal('indexedDB', { databases: async () => databases.map((name) => ({ name })) });
  const createSite = await loadSite(JSON.stringify(site), 'en');
  const app = await showApp({ site: (_newTicket, models) => createSite(models, signal({})) });
  await settle();
  return app;
}

it('the script of files is fetched once a file is chosen, and then has it; the button is there before', async () => {
  const { root } = await show([]);
  screen.getByRole('button', { name: 'Attach files' });
  expect(createFiles).not.toHaveBeenCalled();
  const input = root.querySelector<HTMLInputElement>('input[type=file]')!;
  const file = new File(['x'], 'x.png');
  Object.defineProperty(input, 'files', { value: [file] });
  fireEvent.change(input);
  await expect.poll(() => take).toHaveBeenCalledWith('new', [file]);
});

it('the script of files is there before it is needed where a customer writes, who may be offline by then', async () => {
  await show([]);
  fireEvent.input(screen.getByLabelText(en.fields.description), { target: { value: 'H' } });
  await expect.poll(() => createFiles).toHaveBeenCalledTimes(1);
});

it('the script of files is fetched at once where contents may be left from an earlier page', async () => {
  await show([databaseName]);
  await expect.poll(() => createFiles).toHaveBeenCalledTimes(1);
});

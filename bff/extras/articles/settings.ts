import { accessSync, constants, statSync } from 'node:fs';
import { z } from 'zod';
import { setting, type SettingGroup } from '../../core/settings/settings.ts';

function isReadableFolder(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
const folder = z.string().refine(isReadableFolder, 'must be a folder that the server may read');

export const articleSettings = {
  heading: 'Articles',
  shape: {
    ARTICLES_DIR: setting(folder.optional(), {
      about: 'Folder of help articles in Markdown; try it with deskside articles check.',
      example: '/etc/deskside/articles',
      inSites: 'own',
    }),
  },
} satisfies SettingGroup;

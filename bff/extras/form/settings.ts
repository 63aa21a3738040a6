import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { setting, type SettingGroup } from '../../core/settings/settings.ts';
import { readForm } from './form-file.ts';

/** The file is read once, when the server starts. */
const formFile = z.string().transform((path, { addIssue }) => {
  try {
    const { form, errors } = readForm(readFileSync(path, 'utf8'));
    for (const error of errors) addIssue(error);
    return form ?? z.NEVER;
  } catch (error) {
    addIssue(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return z.NEVER;
  }
});

export const formSettings = {
  heading: 'Form',
  shape: {
    FORM_FILE: setting(formFile.optional(), {
      about:
        'JSON file with topics, fields and consent of the ticket form; read at the start. Needs TICKET_FOOTER=on.',
      example: '/etc/deskside/form.json',
      kind: 'private',
      inSites: 'own',
    }),
  },
  rules: [
    {
      name: 'TICKET_FOOTER',
      error: 'must be on with FORM_FILE: that line tells the answers from the text of the customer',
      holds: (env) => !env['FORM_FILE'] || env['TICKET_FOOTER'] !== 'off',
    },
  ],
} satisfies SettingGroup;

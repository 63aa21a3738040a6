import type { Extra } from '../../core/extra.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { sentencesOf } from '../../core/site/site.ts';
import type { Core } from '../../core/wiring.ts';
import { createAgentFiles } from './agent-files.ts';
import { createAttach } from './attach.ts';
import { createStorage } from './storage.ts';
import { fileChecks } from './checks.ts';
import { addFilesCommand } from './command.ts';
import { usualTypes } from './kinds.ts';
import { readLines } from './lines.ts';
import { createLinks } from './links.ts';
import { fileSettings } from './settings.ts';
import { fileSchema } from './tables.ts';

/** Of the ticket service. By http, pages of a BFF with https could not show its pictures. */
function serviceOrigins({ values, publicUrl }: Pick<Core['config'], 'values' | 'publicUrl'>): string[] {
  const { SUPPORT_API_URL: url } = values;
  if (typeof url !== 'string') return [];
  const { origin, protocol } = new URL(url);
  return protocol === 'https:' || publicUrl.startsWith('http:') ? [origin] : [];
}

/**
 * Files with messages. v1 carries text only: the BFF keeps a file, and the text has its link. Where it is off, files from
 * before stay in their customers' data, and nobody can open them.
 */
export const files: Extra = {
  name: 'files',
  settings: fileSettings,
  schema: fileSchema,
  folders: ['files'],
  checks: fileChecks,
  addCommand: addFilesCommand,
  create(core) {
    const values = valuesOf(fileSettings, core.config.values);
    const { FILES, FILES_HOST: host = core.config.publicUrl, FILES_MAX_COUNT: maxCount } = values;
    const links = createLinks(core, host);
    const { accept, attach, detachAll, ofSends } = createAttach(core, { links, maxCount });
    const service = serviceOrigins(core.config);
    const { origin } = new URL(host);
    const storage = createStorage(core, { values, links });
    const always = { ...storage, sendData: ofSends, onRemoval: detachAll };
    if (FILES !== 'on') return always;
    return {
      ...always,
      readLines: (lines) => readLines(lines, links),
      readAgentText: createAgentFiles({ files: host, service }),
      site(language) {
        const { files: sentences, screenshot, attached } = sentencesOf(language).site;
        const types = [...(values.FILES_TYPES ?? usualTypes)];
        return {
          files: { maxCount, maxBytes: values.FILES_MAX_BYTES, types, sentences, screenshot },
          attached,
        };
      },
      // `blob:` for those that are not sent yet. The app asks whether a file is still there.
      sources: { pictures: ['blob:', origin, ...service], requests: [origin] },
      acceptFiles: accept,
      alsoRecord({ payload }, subjectId) {
        const ids = payload.files?.ids ?? [];
        if (ids.length === 0 || subjectId === null) return null;
        return (operationId, db) => attach(ids, subjectId, operationId, db);
      },
    };
  },
};

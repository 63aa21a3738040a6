import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import type { Sent } from '../customers/sent.ts';
import { splitFiles } from '../judging/file-lines.ts';
import { judgeFiles } from '../judging/judge-files.ts';
import type { Bff } from '../servers/bff.ts';
import type { StoredTicket } from '../servers/service.ts';

/* What has become of files, as seen from outside of the BFF: on its disk, and behind the links that the service has. */

/** After which a file without a message is gone, and a little more. */
export const dayMs = 25 * 3_600_000;
/** Real milliseconds. */
const housekeepingMs = 20_000;
const lookEveryMs = 100;

/** The contents of all files on the disk: of those that are kept, and of those that arrive. */
async function contentsIn(dataDir: string): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  // One may be removed meanwhile.
  const contents = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => null)));
  return contents.filter((content) => content !== null);
}

async function open(link: string, bff: Bff, dispatcher: Dispatcher): Promise<string | null> {
  for (;;) {
    if (bff.url()) {
      const answer = await request(link, { dispatcher }).catch(() => null);
      const content = await answer?.body.text();
      if (answer) return answer.statusCode === 200 ? content! : null;
    }
    await sleep(lookEveryMs);
  }
}

/** Sets the BFF's clock a day ahead, lets it tidy up, and judges what is left. */
export async function judgeAfterADay(
  { sent, stored }: { sent: readonly Sent[]; stored: readonly StoredTicket[] },
  { bff, dispatcher }: { bff: Bff; dispatcher: Dispatcher },
): Promise<string[]> {
  bff.setClock(dayMs);
  await bff.replace('SIGTERM');
  const links = stored
    .flatMap(({ description, messages }) => [description, ...messages.map(({ body }) => body)])
    .flatMap((text) => splitFiles(text).links);
  const opened = new Map<string, string | null>();
  for (const link of links) opened.set(link, await open(link, bff, dispatcher));
  for (const endsAt = Date.now() + housekeepingMs; ; await sleep(lookEveryMs)) {
    const wrong = judgeFiles({ sent, stored, opened, kept: await contentsIn(bff.dataDir) });
    if (wrong.length === 0 || Date.now() > endsAt) return wrong;
  }
}

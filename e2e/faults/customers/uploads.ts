import { randomUUID } from 'node:crypto';
import { filesPath, type UploadedFile } from '../../../shared/contract/files.ts';
import { contentOf, type FilePlan } from '../schedules/plan.ts';
import type { BffAnswer } from './browser.ts';
import type { OutboxDeps } from './outbox.ts';

const retryMs = 1_500;

/** Uploads files as the app does: each with a key of its own, repeated until the BFF has it. */
export function createUploads({ browser, time, isOver }: Pick<OutboxDeps, 'browser' | 'time' | 'isOver'>) {
  async function upload(file: FilePlan): Promise<string> {
    const { name, isCut, isTwice } = file;
    const text = contentOf(file);
    const key = randomUUID();
    const once = (isCutNow: boolean) =>
      browser.ask<UploadedFile>('POST', filesPath, { key, file: { name, text, isCut: isCutNow } });
    // Without a session, each of the two would begin one. The app's tabs wait for each other then.
    const times = isTwice && browser.headers()['cookie'] ? 2 : 1;
    let answers: (BffAnswer<UploadedFile> | null)[] = [];
    for (let isFirst = true; !isOver(); isFirst = false) {
      answers = await Promise.all(
        Array.from({ length: isFirst ? times : 1 }, (_, nth) => once(isFirst && isCut && nth === 0)),
      );
      const id = answers.find((answer) => answer?.data)?.data?.id;
      if (id !== undefined) return id;
      await time.sleep(retryMs);
    }
    throw new Error(
      `${name} was never taken: ${answers.map((answer) => answer?.error ?? 'no answer').join()}`,
    );
  }

  /**
   * The ids, one after the other, since the first upload may begin the session.
   * @throws when the time of the run is over before all are there
   */
  return async (files: readonly FilePlan[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const file of files) ids.push(await upload(file));
    return ids;
  };
}

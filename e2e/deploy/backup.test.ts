import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { accessTo } from '../support/service-api.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { loadEnv, startLoad, textsAtService } from './load.ts';

/** By the command line, as an operator does it. */
const run = (stack: Stack, ...args: string[]) =>
  promisify(execFile)(process.execPath, ['dist/bff/main.js', ...args], {
    env: {
      SUPPORT_API_URL: stack.serviceUrl,
      SUPPORT_API_KEY_FILE: stack.keyFile,
      ALLOWED_ORIGINS: stack.host.origin,
      DATA_DIR: stack.bffDir,
    },
  });

it('a backup made under load and then restored has each of its sends delivered once or undecided', async () => {
  const stack = await startStack(loadEnv);
  const load = await startLoad(stack);
  try {
    await load.more(20);
    const before = new Set(load.sent.filter(({ statuses }) => statuses.length > 0).map(({ text }) => text));
    const backup = join(stack.bffDir, 'backup.db');
    await run(stack, 'backup', backup);
    await load.more(20);
    await Promise.all([stack.killBff(), load.stop()]);
    await run(stack, 'restore', backup);
    await stack.restartBff();

    const ends = await load.ends();
    const there = await textsAtService(accessTo(stack));
    const timesThere = (text: string) => there.filter((each) => each === text).length;
    const wrong = ends.filter(({ text, end }) => {
      if (end === 'done') return timesThere(text) !== 1;
      return timesThere(text) > 1 || end === 'rejected' || before.has(text);
    });
    expect(wrong).toEqual([]);
    expect(ends.filter(({ end }) => end === 'forgotten').length).toBeGreaterThan(0);
    expect(there.filter((text) => !load.sent.some((sent) => sent.text === text))).toEqual([]);
  } finally {
    await load.stop();
    await load.close();
    await stack.stop();
  }
});

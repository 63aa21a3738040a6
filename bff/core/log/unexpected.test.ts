import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Runs code in a process that logs unexpected errors. */
const run = (code: string) =>
  new Promise<{ exitCode: number; printed: string }>((resolve) => {
    const log = JSON.stringify(join(import.meta.dirname, 'log.ts'));
    const script = `
      const { createLog, logUnexpected } = await import(${log});
      logUnexpected(createLog('info'));
      ${code}`;
    execFile(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      (error, stdout, stderr) => resolve({ exitCode: Number(error?.code ?? 0), printed: stdout + stderr }),
    );
  });

it.each([
  ['that nobody catches', `setTimeout(() => { throw new Error('ada@example.com'); });`],
  ['of a promise that nobody waits for', `void Promise.reject(new Error('ada@example.com'));`],
])('an error %s ends the process with one line that does not quote it [storage-19]', async (_, code) => {
  const { exitCode, printed } = await run(`${code} await new Promise(() => setInterval(() => {}, 1_000));`);
  expect(exitCode).toBe(1);
  expect(JSON.parse(printed)).toMatchObject({ level: 60, code: 'crashed', err: { name: 'Error' } });
  expect(printed).not.toContain('ada@');
});

it('output of a library becomes a line that does not quote it', async () => {
  const { exitCode, printed } = await run(
    `console.info('ada@example.com'); console.error(new TypeError('ada@example.com'));`,
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(printed)).toMatchObject({ level: 50, code: 'library_error', err: { name: 'TypeError' } });
  expect(printed).not.toContain('ada@');
});

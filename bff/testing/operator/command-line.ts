import { runCommandLine } from '../../cli/program.ts';
import type { ExitCode, Output } from '../../core/operator/command.ts';

/**
 * Runs one command in this process, with only `env` in its environment. `answers`: those of the person at the
 * terminal. Without them there is no terminal.
 */
export async function runTestCommand(
  args: readonly string[],
  env: Record<string, string | undefined> = {},
  answers?: string[],
): Promise<{ code: ExitCode | undefined; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  const out: Output = {
    line: (text = '') => void (stdout += `${text}\n`),
    json: (value) => void (stdout += JSON.stringify(value)),
    note: (text) => void (stderr += `${text}\n`),
    style: (_, text) => text,
  };
  const code = await runCommandLine(args, {
    env,
    out,
    question: answers && (async () => answers.shift() ?? ''),
  });
  return { code, stdout, stderr };
}

/**
 * Runs scripts of package.json: `steps.ts check test:unit,test:postgres`. Those joined by commas run two at a time, and the
 * next ones begin when they have passed. After a failure, the last lines of what failed are printed once more at the end,
 * since of a long log often only the end is kept.
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { spawnOwned } from './processes.ts';

/** As many as the cores of a small machine. */
const atOnce = 2;
const repeatedLines = 80;

async function runStep(name: string) {
  const begun = performance.now();
  const lines: string[] = [];
  const { child, exited } = spawnOwned('npm', ['run', '-s', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const input of [child.stdout!, child.stderr!])
    createInterface({ input }).on('line', (coloured) => {
      const line = stripVTControlCharacters(coloured);
      lines.push(line);
      console.log(`${name} | ${line}`);
    });
  const [code] = await Promise.all([exited, once(child, 'close')]);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const summary = `==== ${name} ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s`;
  console.log(summary);
  return { hasPassed: code === 0, summary, lines };
}

async function runGroup(names: readonly string[]) {
  const left = [...names];
  const ended: Awaited<ReturnType<typeof runStep>>[] = [];
  async function runSome(): Promise<void> {
    for (let name = left.shift(); name; name = left.shift()) ended.push(await runStep(name));
  }
  await Promise.all(Array.from({ length: atOnce }, runSome));
  return ended;
}

for (const group of process.argv.slice(2)) {
  const failed = (await runGroup(group.split(','))).filter(({ hasPassed }) => !hasPassed);
  for (const { summary, lines } of failed) {
    const isName = (line: string) => /^\s*FAIL /.test(line);
    const end = lines.slice(-repeatedLines / failed.length);
    // Vitest names each failed test above its error only, and Playwright all of them at its end.
    const names = lines.filter((line) => isName(line) && !end.includes(line)).slice(0, 10);
    console.log([summary, ...names, ...end].join('\n'));
  }
  if (failed.length > 0) {
    console.log(failed.map(({ summary }) => summary).join('\n'));
    process.exitCode = 1;
    break;
  }
}

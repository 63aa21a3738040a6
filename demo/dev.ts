import { watch } from 'node:fs';
import { run } from '../scripts/run.ts';
import { startDemo } from './demo.ts';

const folders = ['widget', 'bff', 'service', 'demo/shop'];
const settleMs = 150;

const demo = await startDemo({
  onEnd: (reason) => console.error(`${reason}; save a file to try again`),
  liveReload: true,
});
console.log('  Saving a file rebuilds, restarts and reloads the shop.\n');

let timer: NodeJS.Timeout | undefined;
let isBusy = false;
let isStale = false;

async function rebuild(): Promise<void> {
  if (isBusy) {
    isStale = true;
    return;
  }
  isBusy = true;
  do {
    isStale = false;
    if (await run('vite', ['build', '--logLevel', 'warn'])) {
      await demo.restart().catch((error: unknown) => console.error(String(error)));
      demo.site.reload();
    }
  } while (isStale);
  isBusy = false;
}

for (const folder of folders) {
  watch(folder, { recursive: true }, (_, name) => {
    if (name?.includes('.test.')) return;
    clearTimeout(timer);
    timer = setTimeout(() => void rebuild(), settleMs);
  });
}

const stop = () => void demo.stop().then(() => process.exit(0));
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

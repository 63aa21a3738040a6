import { type Demo, startDemo } from './demo.ts';

let demo: Demo | undefined;
let isStopping = false;

async function stop(reason?: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  if (reason) console.error(`\nStopped: ${reason}`);
  await demo?.stop();
  process.exit(reason ? 1 : 0);
}

process.on('SIGINT', () => void stop());
process.on('SIGTERM', () => void stop());

try {
  demo = await startDemo({ onEnd: (reason) => void stop(reason), liveReload: false });
} catch (error) {
  await stop(error instanceof Error ? error.message : String(error));
}

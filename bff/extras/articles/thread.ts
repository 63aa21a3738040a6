import { parentPort, workerData } from 'node:worker_threads';
import { tryToParse } from './markdown.ts';
import type { Names } from './reader.ts';

/* A thread that parses the articles it is sent, one after the other. `reader.ts` starts it, and ends it where one takes too long. */

const names = workerData as Names;

parentPort!.on('message', ({ text, path }: { text: string; path: string }) => {
  parentPort!.postMessage(tryToParse(text, path, names));
});
parentPort!.postMessage('ready');

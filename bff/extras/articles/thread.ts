import { parentPort, workerData } from 'node:worker_threads';
import { type Names, tryToParse } from './markdown.ts';
import { indexOf } from './search-index.ts';
import type { Work } from './reader.ts';

/* A thread that parses the articles it is sent, or makes their index, one after the other. `reader.ts` starts and ends it. */

const names = workerData as Names;

parentPort!.on('message', (work: Work) => {
  parentPort!.postMessage(
    'articles' in work ? indexOf(work.articles) : tryToParse(work.text, work.path, names),
  );
});
parentPort!.postMessage('ready');

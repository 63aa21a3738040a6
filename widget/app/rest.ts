import { adoptStyles } from './styles/adopt.ts';
import list from './styles/list.css?inline';
import preview from './styles/preview.css?inline';
import thread from './styles/thread.css?inline';

/** What the first paint does without: it comes right after that, as one script with its styles. */
export { createProofSolver } from './api/proof.ts';
export { readStream } from './api/stream.ts';
export { createNotify } from './notify.tsx';
export { diagnose } from './state/diagnose.ts';
export { Identifying } from './ui/Identifying.tsx';
export { Notice } from './ui/Notice.tsx';
export { Offers } from './ui/Offers.tsx';
export { Spoken } from './ui/Spoken.tsx';
export { Start } from './ui/Start.tsx';
export { Thread } from './ui/Thread.tsx';
export { Ways } from './ui/Ways.tsx';

adoptStyles(list + thread + preview);

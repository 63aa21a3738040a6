import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/* Makes a process collect its garbage at SIGUSR2, so that all memory that remains resident is in use. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  collect();
});

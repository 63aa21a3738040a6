import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

/* Profiles a process from SIGUSR2 until SIGTERM, and writes the CPU profile to `PROFILE_FILE`. */
const session = new Session();
session.connect();
session.post('Profiler.enable');
process.once('SIGUSR2', () => session.post('Profiler.start'));
process.prependOnceListener('SIGTERM', () =>
  session.post('Profiler.stop', (_, result) =>
    writeFileSync(process.env.PROFILE_FILE, JSON.stringify(result.profile)),
  ),
);

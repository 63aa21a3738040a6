#!/usr/bin/env node
import { runCommandLine } from './cli/program.ts';

// The reader of the output may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const exitCode = await runCommandLine(process.argv.slice(2));
// Undefined while the server runs. Everything written to a pipe must arrive before the exit.
if (exitCode !== undefined) process.stdout.write('', () => process.exit(exitCode));

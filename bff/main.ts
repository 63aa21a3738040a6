#!/usr/bin/env node
import { runCommandLine } from './cli/program.ts';

// Whoever read the output has gone, as `head` does after some lines.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const exitCode = await runCommandLine(process.argv.slice(2));
// Undefined while the server runs. What was written to a pipe must arrive first.
if (exitCode !== undefined) process.stdout.write('', () => process.exit(exitCode));

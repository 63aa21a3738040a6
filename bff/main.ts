#!/usr/bin/env node
import { runCommandLine } from './cli/program.ts';

const exitCode = await runCommandLine(process.argv.slice(2));
// Undefined while the server runs. What was written to a pipe must arrive first.
if (exitCode !== undefined) process.stdout.write('', () => process.exit(exitCode));

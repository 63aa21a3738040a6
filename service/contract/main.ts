import { parseArgs } from 'node:util';
import { printFindings } from './print.ts';
import { runContract } from './run.ts';

const usage = `Checks a ticket service against "Support Ticket Service API v1".

Usage: npm run contract -- --url <base> --key <key> [options]

  --url <base>            address of the service, with or without /api/v1
  --key <key>             API key of a workspace
  --other-key <key>       key of another workspace, to check that workspaces are apart
  --revoked-key <key>     a revoked key
  --merged-ticket <id>    id of a ticket of the workspace that was merged into another one
  --help                  this text

It creates about 25 tickets, each marked "[contract check]" or filled with x, by customers
contract-check+<random>@example.com. Exit code 0 when all that is documented holds, 1 when
something does not, 2 when it could not run.`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      'other-key': { type: 'string' },
      'revoked-key': { type: 'string' },
      'merged-ticket': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  if (!values.url || !URL.canParse(values.url) || !values.key) throw new Error('--url and --key are needed');
  return {
    url: values.url.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v1$/, ''),
    key: values.key,
    otherKey: values['other-key'],
    revokedKey: values['revoked-key'],
    mergedTicket: values['merged-ticket'],
  };
}

async function main(): Promise<number> {
  const options = readOptions();
  if (options === null) {
    console.log(usage);
    return 0;
  }
  console.log(
    `Checking ${options.url}. This creates about 25 tickets there, marked "[contract check]" or filled with x,\n` +
      'by customers contract-check+<random>@example.com.\n',
  );
  const findings = await runContract(options);
  console.log(printFindings(findings));
  return findings.some(({ kind }) => kind === 'broken') ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}

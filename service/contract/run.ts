import type { Check, Finding, Outcome } from './check.ts';
import { authenticationChecks } from './checks/authentication.ts';
import { creationChecks } from './checks/creation.ts';
import { errorChecks } from './checks/errors.ts';
import { messageChecks } from './checks/messages.ts';
import { getChecks, listChecks } from './checks/reading.ts';
import { createWalk, type ContractOptions, type Walk } from './walk.ts';
import { Broken } from './need.ts';

const checks: readonly Check[] = [
  ...authenticationChecks,
  ...creationChecks,
  ...listChecks,
  ...getChecks,
  ...messageChecks,
  ...errorChecks,
];

/** Runs every check, one after the other. Never throws. */
export async function runContract(options: ContractOptions): Promise<Finding[]> {
  const walk = createWalk(options);
  const findings: Finding[] = [];
  for (const check of checks) {
    findings.push({ section: check.section, rule: check.rule, ...(await outcomeOf(check, walk)) });
  }
  return findings;
}

async function outcomeOf(check: Check, walk: Walk): Promise<Outcome> {
  try {
    return (await check.run(walk)) ?? { kind: 'holds', detail: '' };
  } catch (error) {
    if (error instanceof Broken) return { kind: 'broken', detail: error.message };
    return { kind: 'broken', detail: `the check could not make sense of the answer (${String(error)})` };
  }
}

import { proofWorkerPath } from '../../../shared/contract/paths.ts';

/** Trusted Types, which TypeScript's DOM library does not describe yet. */
type Policy = { createScriptURL: (url: string) => string };
declare const trustedTypes: { createPolicy: (name: string, rules: Policy) => Policy } | undefined;

/** Time-out of a solution, since a request waits for it. */
const limitMs = 120_000;

/**
 * Solves the BFF's proofs of work in a worker, so that the main thread stays free. Resolves to the value of
 * `proofHeader`, or null without a solution.
 */
export function createProofSolver(): (challenge: unknown) => Promise<string | null> {
  let policy: Policy | undefined;

  /** SECURITY: the policy returns this one URL for any input. */
  function workerUrl(): string {
    const url = `.${proofWorkerPath}`;
    if (typeof trustedTypes === 'undefined') return url;
    policy ??= trustedTypes.createPolicy('deskside', { createScriptURL: () => url });
    return policy.createScriptURL('');
  }

  return async (challenge) => {
    let worker: Worker | undefined;
    const solved = new Promise<string | null>((resolve, reject) => {
      worker = new Worker(workerUrl());
      worker.addEventListener('message', ({ data }: MessageEvent<string | null>) => resolve(data));
      worker.addEventListener('error', reject);
      setTimeout(reject, limitMs);
      worker.postMessage(challenge, []);
    });
    try {
      return await solved;
    } catch {
      return null;
    } finally {
      worker?.terminate();
    }
  };
}

export const solveProof = createProofSolver();

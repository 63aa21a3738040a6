import { paths } from '../../../bff/contract/paths.ts';

/** Trusted Types, which TypeScript's DOM library does not describe yet. */
type Policy = { createScriptURL: (url: string) => string };
declare const trustedTypes: { createPolicy: (name: string, rules: Policy) => Policy } | undefined;

/** Work that takes longer is given up: what waits for it must not wait for ever. */
const limitMs = 120_000;

/**
 * Solves the BFF's proofs of work away from the main thread, which stays free for the customer. The answer is the
 * value of `proofHeader`, or null where it cannot be had.
 */
export function createProofSolver(): (challenge: unknown) => Promise<string | null> {
  let policy: Policy | undefined;

  /** SECURITY: whatever is asked of the policy, it yields this one script. */
  function workerUrl(): string {
    if (typeof trustedTypes === 'undefined') return paths.proofWorker;
    policy ??= trustedTypes.createPolicy('deskside', { createScriptURL: () => paths.proofWorker });
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

import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

/** Solves the BFF's `error.challenge`; posts the value of `proofHeader`, or null without a solution. */
async function solve(challenge: Challenge) {
  const solution = await solveChallenge({ challenge, deriveKey }).catch(() => null);
  postMessage(solution && btoa(JSON.stringify({ challenge, solution })), {});
}

addEventListener('message', ({ data }: MessageEvent<Challenge>) => void solve(data));

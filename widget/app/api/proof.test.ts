import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProofSolver } from './proof.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A worker that answers by `answer`; what was made and ended is counted. */
function stubWorker(answer: (worker: EventTarget, challenge: unknown) => void) {
  const urls: unknown[] = [];
  const terminate = vi.fn<() => void>();
  class FakeWorker extends EventTarget {
    terminate = terminate;
    constructor(url: unknown) {
      super();
      urls.push(url);
    }
    postMessage(challenge: unknown) {
      answer(this, challenge);
    }
  }
  vi.stubGlobal('Worker', FakeWorker);
  return { urls, terminate };
}

const message = (data: unknown) => new MessageEvent('message', { data });

describe('the proof solver', () => {
  it('gives the challenge to the worker and takes its answer', async () => {
    const { urls, terminate } = stubWorker((worker, challenge) =>
      worker.dispatchEvent(message(`solved ${String(challenge)}`)),
    );
    expect(await createProofSolver()('this')).toBe('solved this');
    expect(urls).toEqual(['./proof-worker.js']);
    expect(terminate).toHaveBeenCalledOnce();
  });

  it.each<[string, (worker: EventTarget) => void]>([
    ['cannot be loaded', (worker) => worker.dispatchEvent(new Event('error'))],
    ['finds no solution', (worker) => worker.dispatchEvent(message(null))],
    [
      'is refused by the browser',
      () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    ],
  ])('answers null when the worker %s', async (_how, answer) => {
    stubWorker(answer);
    expect(await createProofSolver()({})).toBeNull();
  });

  it('answers null when the worker never ends', async () => {
    vi.useFakeTimers();
    const { terminate } = stubWorker(() => {});
    const solved = createProofSolver()({});
    vi.runAllTimers();
    expect(await solved).toBeNull();
    expect(terminate).toHaveBeenCalledOnce();
  });

  it('under Trusted Types makes one policy, which returns the worker’s URL for any input', async () => {
    const { urls } = stubWorker((worker) => worker.dispatchEvent(message('x')));
    const createPolicy = vi.fn<
      (name: string, rules: { createScriptURL: (url: string) => string }) => unknown
    >((_name, rules) => ({ createScriptURL: (url: string) => `trusted:${rules.createScriptURL(url)}` }));
    vi.stubGlobal('trustedTypes', { createPolicy });
    const solve = createProofSolver();
    await solve({});
    await solve({});
    expect(createPolicy).toHaveBeenCalledOnce();
    expect(createPolicy.mock.calls[0]![0]).toBe('deskside');
    expect(createPolicy.mock.calls[0]![1].createScriptURL('https://evil.example/x.js')).toBe(
      './proof-worker.js',
    );
    expect(urls).toEqual(['trusted:./proof-worker.js', 'trusted:./proof-worker.js']);
  });
});

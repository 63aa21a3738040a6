import { Session } from 'node:inspector/promises';

const longest = 160;

/**
 * Follows which branches of some files run, as the engine counts them, so that the code needs no marks. To be called
 * before any of it runs.
 */
export async function followBranches(isFollowed: (url: string) => boolean) {
  const session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

  /** The beginning of each branch of these functions that never ran. Inside of it there are others. */
  function* unreachedIn(functions: readonly { ranges: Range[] }[], source: string): Generator<string> {
    let end = 0;
    const ranges = functions.flatMap((each) => each.ranges).filter(({ count }) => count === 0);
    for (const { startOffset, endOffset } of ranges.toSorted(
      (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
    )) {
      if (startOffset < end) continue;
      end = endOffset;
      const code = source.slice(startOffset, endOffset).replace(/\s+/g, ' ').trim();
      // The second is of the tool that runs the tests.
      if (/\w/.test(code) && code !== 'catch {}') yield code.slice(0, longest);
    }
  }

  return {
    /** The branches that have never run, as `file: code`. */
    async unreached(): Promise<string[]> {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const found: string[] = [];
      for (const { url, scriptId, functions } of result.filter((script) => isFollowed(script.url))) {
        const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
        const file = url.slice(url.lastIndexOf('/') + 1);
        for (const code of unreachedIn(functions, scriptSource)) found.push(`${file}: ${code}`);
      }
      return found;
    },
  };
}

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

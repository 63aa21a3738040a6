import { type Profiler, Session } from 'node:inspector/promises';

/** How many schedules of each kind a simulation draws. */
export const runs = Number(process.env['SIMULATION_RUNS'] ?? 100);
/** Whether they are so many that every branch of the code is reached. */
export const isLong = runs >= 2_000;
/** A failing schedule is shortened as far as possible, which takes as many runs again. */
export const timeoutMs = 60_000 + runs * 1_000;

/** A shorter branch is told by its line, too. */
const shortest = 40;
const longest = 160;
/** What the tool that runs the tests makes of exports and imports. */
const exported = /catch \{\}( \})?$/;
const imported = /\(0,__vite_ssr_import_\d+__\.(\w+)\)/g;

/*
 * Which branches have run, as the engine counts them, so that the code needs no marks. The engine does not count in files
 * that were loaded before. So the test of a simulation imports this file first.
 */
const session = new Session();
if (isLong) {
  session.connect();
  void session.post('Debugger.enable');
  void session.post('Profiler.enable');
  void session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

const plain = (code: string) => code.replace(imported, '$1').replace(/\s+/g, ' ').trim();

/** The beginning of each branch of these functions that never ran. Inside of it there are others. */
function* unreachedIn(functions: readonly { ranges: Range[] }[], source: string): Generator<string> {
  let end = 0;
  const ranges = functions.flatMap((each) => each.ranges).filter(({ count }) => count === 0);
  for (const { startOffset, endOffset } of ranges.toSorted(
    (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
  )) {
    if (startOffset < end) continue;
    end = endOffset;
    const code = plain(source.slice(startOffset, endOffset));
    if (!/\w/.test(code) || exported.test(code)) continue;
    const line = source.slice(source.lastIndexOf('\n', startOffset), source.indexOf('\n', endOffset));
    yield code.length < shortest ? `${code} in ${plain(line)}` : code.slice(0, longest);
  }
}

let taken: Promise<Profiler.TakePreciseCoverageReturnType> | undefined;

/**
 * The branches of these files that have never run, as `file: code`.
 * @param folder the end of the path to the files
 * @throws when one was not followed
 */
export async function unreached(folder: string, files: readonly string[]): Promise<string[]> {
  // Each of these begins to count anew.
  taken ??= session.post('Profiler.takePreciseCoverage');
  const { result } = await taken;
  const found: string[] = [];
  for (const file of files) {
    const script = result.find(({ url }) => url.endsWith(`/${folder}/${file}`));
    if (!script) throw new Error(`${file} was loaded before its branches were followed`);
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId: script.scriptId });
    for (const code of unreachedIn(script.functions, scriptSource)) found.push(`${file}: ${code}`);
  }
  return found;
}

interface Range {
  startOffset: number;
  endOffset: number;
  count: number;
}

import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { benchBff } from './bff.ts';
import { benchFiles } from './files.ts';
import { benchPage } from './page.ts';
import { loadNow, writeReport } from './report.ts';
import { benchStreams } from './streams.ts';

const benches = { page: benchPage, bff: benchBff, streams: benchStreams, files: benchFiles };
type Name = keyof typeof benches;

const given = process.argv.slice(2);
const isQuick = given.includes('--quick');
const asked = given.filter((each) => each !== '--quick');
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0)
  throw new Error(`unknown: ${unknown.join(', ')}. Sections: ${Object.keys(benches).join(', ')}; --quick`);

await buildIfNeeded();
for (const name of (asked.length > 0 ? asked : Object.keys(benches)) as Name[]) {
  process.stderr.write(`${name} …\n`);
  const loadBefore = loadNow();
  process.stdout.write(await writeReport(name, await benches[name]({ isQuick }), { isQuick, loadBefore }));
}

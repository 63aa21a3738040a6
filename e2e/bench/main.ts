import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { benchBff } from './bff.ts';
import { benchFiles } from './files.ts';
import { benchPage } from './page.ts';
import { benchPauses } from './pauses.ts';
import { benchPress } from './press.ts';
import { updateReadme } from './readme.ts';
import { loadNow, writeReport } from './report.ts';
import { benchStreams } from './streams.ts';

const benches = {
  page: benchPage,
  bff: benchBff,
  streams: benchStreams,
  files: benchFiles,
  pauses: benchPauses,
  press: benchPress,
};
type Name = keyof typeof benches;

const { values, positionals: asked } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, against: { type: 'string' } },
  allowPositionals: true,
});
const { quick: isQuick, against } = values;
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0)
  throw new Error(`unknown: ${unknown.join(', ')}. Sections: ${Object.keys(benches).join(', ')}; --quick`);

await buildIfNeeded();
for (const name of (asked.length > 0 ? asked : Object.keys(benches)) as Name[]) {
  process.stderr.write(`${name} …\n`);
  const loadBefore = loadNow();
  process.stdout.write(
    await writeReport(name, await benches[name]({ isQuick, against }), { isQuick, loadBefore }),
  );
}
if (!isQuick) await updateReadme();

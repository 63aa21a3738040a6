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
};
/** It needs another commit, so it runs only when it is asked for. */
const all = { ...benches, press: benchPress };
type Name = keyof typeof all;

const { values, positionals: asked } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, against: { type: 'string' } },
  allowPositionals: true,
});
const { quick: isQuick, against } = values;
const unknown = asked.filter((name) => !(name in all));
if (unknown.length > 0)
  throw new Error(`unknown: ${unknown.join(', ')}. Sections: ${Object.keys(all).join(', ')}; --quick`);

await buildIfNeeded();
for (const name of (asked.length > 0 ? asked : Object.keys(benches)) as Name[]) {
  process.stderr.write(`${name} …\n`);
  const loadBefore = loadNow();
  process.stdout.write(
    await writeReport(name, await all[name]({ isQuick, against }), { isQuick, loadBefore }),
  );
}
if (!isQuick) await updateReadme();

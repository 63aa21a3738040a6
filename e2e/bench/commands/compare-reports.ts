import { compare, type Difference } from '../report/compare.ts';
import { readReportFile } from '../report/write.ts';

/** Ends with 1 on a regression, with 2 on wrong arguments or when there is nothing to compare. */
async function main([earlier, later]: string[]): Promise<number> {
  if (!earlier || !later) {
    process.stderr.write('npm run bench:compare -- <old.json> <new.json>\n');
    return 2;
  }
  const { compared, worse, better, missing } = compare(
    await readReportFile(earlier),
    await readReportFile(later),
  );
  const print = (mark: string, { what, before, after }: Difference) =>
    process.stdout.write(`${mark}  ×${before.toFixed(3)} → ×${after.toFixed(3)}  ${what}\n`);
  for (const each of worse) print('WORSE ', each);
  for (const each of better) print('better', each);
  for (const what of missing) process.stdout.write(`not in ${later}: ${what}\n`);
  process.stdout.write(`${compared} ratios compared, ${worse.length} worse, ${better.length} better\n`);
  if (compared === 0) return 2;
  return worse.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));

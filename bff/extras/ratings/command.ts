import { scores } from '../../../shared/contract/ratings.ts';
import { isoTime } from '../../core/clock.ts';
import type { Extra } from '../../core/extra.ts';
import { type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { oneLine } from '../../core/text/canonical.ts';
import type { Core } from '../../core/wiring.ts';
import { createRatings, type ReadRating } from './ratings.ts';

interface RatingsOptions {
  since: string;
  json?: boolean;
}

const dayMs = 86_400_000;
const shownWords = 20;

const percent = (part: number, all: number) => `${Math.round((100 * part) / all)} %`;
const toJson = ({ ticketId, ticketNumber, ratedAt, ...rating }: ReadRating) => ({
  ticket_id: ticketId,
  ticket_number: ticketNumber,
  ...rating,
  rated_at: isoTime(ratedAt),
});

/** Sums up what customers said, with their newest words. */
async function run({ out }: Cli, core: Core, { since, json = false }: RatingsOptions): Promise<ExitCode> {
  const days = Number(/^(\d{1,4})d$/.exec(since)?.[1] ?? 0);
  if (days === 0) {
    out.note('--since takes a number of days, such as 30d');
    return exitCodes.usage;
  }
  const ratings = createRatings(core);
  const from = core.now() - days * dayMs;
  const rows = await ratings.counts(from);
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { count }) => total + count, 0);
  const count = sum(() => true);
  const solved = sum((row) => row.solved === 1);
  const asked = sum((row) => row.solved !== null);
  const byScore = scores.map((score) => [score, sum((row) => row.score === score)] as const);
  const rated = sum((row) => row.score !== null);
  const average = byScore.reduce((total, [score, times]) => total + score * times, 0) / rated;
  const words = await ratings.words(from, shownWords);
  const refused = await ratings.countRefused();

  if (json) {
    out.json({
      since: isoTime(from),
      count,
      solved: { yes: solved, no: asked - solved },
      average: rated === 0 ? null : Math.round(average * 100) / 100,
      scores: Object.fromEntries(byScore),
      words: words.map(toJson),
      not_delivered: refused,
    });
    return exitCodes.ok;
  }
  out.line(`${count} ${count === 1 ? 'rating' : 'ratings'} in the last ${days} days`);
  if (asked > 0) out.line(`solved: ${solved} of ${asked} (${percent(solved, asked)})`);
  if (rated > 0) out.line(`average: ${average.toFixed(1)} of 5`);
  for (const [score, times] of rated > 0 ? byScore : [])
    out.line(`  ${score}  ${String(times).padStart(4)}  ${percent(times, rated)}`);
  for (const { ticketId, ticketNumber, score, solved: isSolved, word, ratedAt } of words) {
    const said = [
      score !== null && `score ${score}`,
      isSolved !== null && (isSolved ? 'solved' : 'not solved'),
    ].filter(Boolean);
    const name = ticketNumber === null ? ticketId : `#${ticketNumber} ${ticketId}`;
    out.line(`${isoTime(ratedAt).slice(0, 10)}  ${name}  ${said.join(', ')}`);
    out.line(`  ${oneLine(word ?? '')}`);
  }
  if (refused > 0) out.note(`${refused} not taken by RATING_HOOK yet: the log says why (rating_not_told)`);
  return exitCodes.ok;
}

export const addRatingsCommand: NonNullable<Extra['addCommand']> = (program, cli, onExit, withCore) => {
  program
    .command('ratings')
    .description('what customers said of conversations: solved, score, their newest words')
    .option('--since <days>', 'of these last days', '30d')
    .option('--json', 'print it as JSON')
    .action(async (options: RatingsOptions) => onExit(await withCore((core) => run(cli, core, options))));
};

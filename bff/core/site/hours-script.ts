import { isOpenAt, type PageHours, type Site } from '../../../shared/contract/site.ts';
import type { Clock } from '../clock.ts';

/** How long the hours are reused. Their changes are known ahead. */
const freshMs = 60_000;
/** A page asks again when the next change is due. A computer that sleeps is late for that, so it also asks now and then. */
const [soonestMs, latestMs] = [60_000, 600_000];

const moduleOf = (hours: PageHours | null) => `export default ${JSON.stringify(hours)}`;

export const noHours = moduleOf(null);

/** Creates the module that says whether support is there. `siteOf`: null where nothing is set. */
export function createHoursScript(siteOf: (() => Site) | null, { now, elapsed }: Clock): () => string {
  let known: { site: Site; at: number } | undefined;
  return () => {
    if (!siteOf) return noHours;
    if (!known || elapsed() - known.at >= freshMs) known = { site: siteOf(), at: elapsed() };
    const { hours, articles } = known.site;
    if (!hours) return noHours;
    const at = now();
    const next = hours.changes.find((change) => change > at) ?? Infinity;
    return moduleOf({
      isOpen: isOpenAt(hours, at) !== false,
      hasArticles: articles !== undefined,
      askAgainMs: Math.min(Math.max(next - at, soonestMs), latestMs),
    });
  };
}

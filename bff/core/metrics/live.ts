import type { Live } from '../live/live.ts';
import type { Readers } from '../live/readers.ts';
import type { Declare } from './declare.ts';

/** Metrics of the streams to open pages. */
export const liveMetrics = ({ histogram }: Declare) => ({
  streamDurations: histogram({
    name: 'deskside_stream_duration_seconds',
    help: 'How long streams were open. Many that end after the same short time were cut by a proxy.',
    buckets: [1, 10, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400],
  }),
  answerDelays: histogram({
    name: 'deskside_answer_delay_seconds',
    help: "Time from an agent's message at the ticket service until it was written to a stream, for each stream.",
    buckets: [0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300],
  }),
});

export interface LiveSources {
  live: Pick<Live, 'counts'>;
  readers: Pick<Readers, 'shards'>;
}

export function liveGauges({ gauge }: Declare, { live, readers }: LiveSources): void {
  gauge({
    name: 'deskside_streams',
    help: 'Streams that are open.',
    collect() {
      this.set(live.counts().streams);
    },
  });
  gauge({
    name: 'deskside_watches',
    help: 'Tickets that somebody has on screen or in a badge here, or that are read here for other instances.',
    collect() {
      this.set(live.counts().watches);
    },
  });
  gauge({
    name: 'deskside_watch_shards',
    help: 'Of the 256 shards of tickets, those that this instance reads: all of them where it is alone.',
    collect() {
      this.set(readers.shards());
    },
  });
}

import type { Step } from './record.ts';

/* Compares what a BFF has after a power cut with what it had said before. */

/** What a BFF has when it starts. */
export interface Kept {
  /** By key. */
  sends: ReadonlyMap<string, { state: string; attempts: number }>;
  /** The ids of the files that its rows say it has. */
  files: ReadonlySet<string>;
  /** What is damaged, one line each. */
  damaged: readonly string[];
}

const statesTold = /"key":"(?<key>[\w-]{36})"[^{}]*?"state":"(?<state>\w+)"/g;
const fileTold = /"id":"(?<id>[\w-]+)","name":"[\w-]+\.txt"/g;
const sendIn = /Send (?<key>[\w-]{36}) of/g;
const groups = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), (match) => match.groups!);

/** Follows what a BFF on `port` says to customers, and to the ticket service on `servicePort`. */
export function createJudge({ port, servicePort }: { port: number; servicePort: number }) {
  const told = new Map<string, string>();
  const files = new Set<string>();
  const attempts = new Map<string, number>();

  return {
    hear(step: Step): void {
      if (step.do !== 'say') return;
      if (step.to.includes(`:${port}->`)) {
        for (const { key, state } of groups(step.text, statesTold)) told.set(key!, state!);
        for (const { id } of groups(step.text, fileTold)) files.add(id!);
      } else if (step.to.endsWith(`:${servicePort}]`))
        for (const { key } of groups(step.text, sendIn)) attempts.set(key!, (attempts.get(key!) ?? 0) + 1);
    },

    /** What was heard so far. */
    counts: () => ({ told: told.size, files: files.size, sent: attempts.size }),

    /** The violations, one line each. */
    judge(kept: Kept): string[] {
      const lost = [...told].flatMap(([key, state]) => {
        const send = kept.sends.get(key);
        if (!send) return [`lost: ${key} was told ${state}`];
        return state === 'done' && send.state !== 'done'
          ? [`taken back: ${key} was told done, and is ${send.state}`]
          : [];
      });
      const unrecorded = [...attempts].flatMap(([key, count]) => {
        const send = kept.sends.get(key);
        // One in doubt is looked for before it is sent.
        const isKnown = send && (send.attempts >= count || send.state === 'unknown');
        return isKnown
          ? []
          : [
              `not recorded: ${key} was sent ${count} times, ${send ? `${send.attempts} are known` : 'and is not there'}`,
            ];
      });
      const lostFiles = [...files].filter((id) => !kept.files.has(id)).map((id) => `lost: the file ${id}`);
      return [...kept.damaged.map((line) => `damaged: ${line}`), ...lost, ...unrecorded, ...lostFiles];
    },
  };
}

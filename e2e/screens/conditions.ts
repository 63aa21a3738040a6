import { copies, type Copy } from './copy.ts';
import type { Screen, Visit } from './visit.ts';

/** Conditions that any screen may meet, each tried on the screens that it affects most. */
interface Condition {
  name: string;
  screens: string[];
  /** Brings it about before the customer arrives. */
  impose(visit: Visit): Promise<Visit>;
}

const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller'.repeat(3);
const emoji = '👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈😢'.repeat(20);

/** No place to break a line, in every text. */
const unbroken: Copy = {
  brand: word,
  name: word,
  subjects: { chipped: word, refund: `981${emoji}`, delivery: `📦${word}` },
  greeting: word,
  problem: emoji,
  more: `https://photos.example.com/${word}`,
  answer: `\`${word}\` ${emoji}`,
  question: `?${emoji}`,
  thanks: `!${word}`,
  late: word,
};

const conditions: Condition[] = [
  {
    name: 'unbroken',
    screens: ['new-answer-while-closed', 'form-again', 'list', 'thread', 'thread-every-state'],
    impose: async (visit) => ({ ...visit, copy: unbroken }),
  },
  {
    // Texts that run the other way than the panel.
    name: 'other-direction',
    screens: ['form-again', 'list', 'thread'],
    impose: async (visit) => ({ ...visit, copy: visit.copy === copies.ar ? copies.en : copies.ar }),
  },
  {
    name: 'large-text',
    screens: ['form-with-faults', 'list', 'thread'],
    async impose(visit) {
      const browser = await visit.context.newCDPSession(visit.page);
      await browser.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
      return visit;
    },
  },
  {
    // What is left of 1280 by 1024 pixels at four times their size.
    name: 'zoomed',
    screens: ['launcher-unread', 'form-with-faults', 'list', 'thread'],
    async impose(visit) {
      await visit.page.setViewportSize({ width: 320, height: 256 });
      return visit;
    },
  },
  {
    name: 'forced-colors',
    screens: ['launcher-unread', 'form-with-faults', 'list', 'thread-every-state'],
    async impose(visit) {
      await visit.page.emulateMedia({ forcedColors: 'active' });
      return visit;
    },
  },
];

/** Those of `screens` that a condition tries, under it. */
export const underConditions = (screens: Screen[]): Screen[] =>
  conditions.flatMap(({ name: condition, screens: tried, impose }) =>
    tried.map((name) => {
      const screen = screens.find((each) => each.name === name);
      if (!screen) throw new Error(`no screen “${name}” to show ${condition}`);
      return { ...screen, name: `${name}-${condition}`, impose };
    }),
  );

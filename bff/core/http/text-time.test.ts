import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { readMessage } from '../../../shared/text/message.ts';
import { plainText } from '../../../shared/text/plain.ts';
import type { NewTicket } from '../../../shared/contract/tickets.ts';
import { readAddress } from '../identity/address.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { repeatable, strangeText } from '../../testing/texts.ts';
import { canonical, shorten } from '../text/canonical.ts';
import { addFooter, cutFooter, leavesRoom, refOf } from '../tickets/footer.ts';
import { codeRequestSchema, newMessageSchema, newTicketSchema } from './validate.ts';

/*
 * No text of a stranger may delay other requests: each must take about as long as plain text of the same length. Both
 * are measured in one run, so the speed of the machine does not matter. A text whose time grows with the square of its
 * length would take hundreds of times as long.
 */

const footer = { isVerified: false, pageUrl: 'https://shop.example/', ref: 'DS-0123456789AB' };
/** A text in every field that accepts one. */
const everyField = (text: string) =>
  ({
    subject: text,
    description: text,
    customer_email: text,
    customer_name: text,
    context: { page_url: `https://a.example/${text}` },
    language: text,
    website: text,
    form: { version: text, topic: text, fields: { order: text } },
    files: [text],
  }) satisfies Record<Exclude<keyof NewTicket, 'priority' | 'notify'>, unknown>;

/** Every way of a text through this process, from a browser or from the service. */
const ways: Record<string, (text: string) => unknown> = {
  'a new ticket': (text) => newTicketSchema.safeParse(everyField(text)),
  'a reply': (text) => newMessageSchema.safeParse({ body: text }),
  'a request for a code': (text) => codeRequestSchema.safeParse({ email: text, language: text }),
  'an address': (text) => [readAddress(text), readAddress(`ada@${text}`), readAddress(`${text}@example.com`)],
  'canonical text': canonical,
  'a description to send': (text) => [leavesRoom(text), addFooter(text, footer)],
  'a message': (text) => [
    plainText(readMessage(text, 'agent'), { isShort: false }),
    readMessage(text, 'customer'),
  ],
  'a description that was read': (text) => [cutFooter(text), refOf(text), shorten(text, 140)],
};

const msOf = (work: () => unknown) => {
  const from = performance.now();
  work();
  return performance.now() - from;
};
/** The shortest time of several runs, because other processes can only make a run slower. */
const quickest = (work: () => unknown, times = 5) =>
  Math.min(...Array.from({ length: times }, () => msOf(work)));
const filled = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Most texts have lines, and a way that reads line by line takes longer for each. */
const plainLine = '日本語の普通の文章。\n';

/**
 * Whether texts of this piece take far longer than plain ones, and four times the text takes over ten times as long.
 * Both are true at every measurement when time grows with the square of the length.
 */
function isSlow(way: (text: string) => unknown, piece: string): boolean {
  const isSlowOnce = () => {
    const plain = quickest(() => way(filled(plainLine, 64_000)));
    const long = quickest(() => way(filled(piece, 64_000)));
    return long > 60 * plain && long > 10 * quickest(() => way(filled(piece, 16_000)));
  };
  return isSlowOnce() && isSlowOnce() && isSlowOnce();
}

describe.each(Object.keys(ways))('%s', (name) => {
  const way = ways[name]!;

  it('takes about as long as plain text, whatever piece it repeats [overload-17]', () => {
    const slow = repeatable.filter((piece) => isSlow(way, piece));
    expect(slow).toEqual([]);
  }, 300_000);

  it('takes little longer for ten thousand unusual texts than for as many plain ones', () => {
    let odd = 0;
    let plain = 0;
    fc.assert(
      fc.property(strangeText(300), (text) => {
        odd += msOf(() => way(text));
        plain += msOf(() => way(filled('plain words ', text.length)));
      }),
      { numRuns: 10_000 },
    );
    expect(odd).toBeLessThan(30 * plain);
  }, 300_000);
});

describe('the time of a request or a read', () => {
  let bff: TestBff;
  let ada: TestBrowser;
  beforeAll(async () => {
    bff = await startBff({ timeoutMs: 60_000 });
    ada = bff.browser();
    await ada.openTicket();
  });
  afterAll(() => bff.stop());

  const msOfRequest = async (work: () => Promise<unknown>) => {
    let best = Infinity;
    for (let time = 0; time < 3; time += 1) {
      const from = performance.now();
      await work();
      best = Math.min(best, performance.now() - from);
    }
    return best;
  };

  it.each(Object.keys(everyField('')) as (keyof ReturnType<typeof everyField>)[])(
    'with a long run of marks as %s is about that of plain text',
    async (field) => {
      const open = (text: string) => ada.openTicket({ [field]: everyField(text)[field] });
      const control = await msOfRequest(() => open(filled('plain', 60_000)));
      expect(await msOfRequest(() => open(filled('\u0301\u0316', 60_000)))).toBeLessThan(25 * control);
    },
  );

  it.each(['> \u2028', '\u0301\u0316', '\u202e', '> ', 'Deskside:\n'])(
    'of a ticket of %j is about that of plain text [overload-18]',
    async (piece) => {
      const { id } = (await ada.openTicket()).data;
      const ticket = bff.service.tickets.get(id)!;
      const read = async (text: string) => {
        ticket['description'] = text;
        ticket.messages = [{ id: '1', author_type: 'customer', body: text, created_at: null }];
        bff.clock.offsetMs += 5_000;
        expect((await ada.get(paths.ticket(id))).status).toBe(200);
      };
      const control = await msOfRequest(() => read(filled('plain words ', 60_000)));
      expect(await msOfRequest(() => read(`x${filled(piece, 60_000)}x`))).toBeLessThan(25 * control);
    },
  );
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';
import { identify, signedIn, withIdentity } from '../../testing/identity.ts';

let bff: TestBff;
beforeAll(async () => {
  bff = await startBff(withIdentity);
});
afterAll(() => bff.stop());

/** The lines for agents of the ticket that was sent last, without our last line. */
const linesForAgents = () => {
  const { description } = bff.service.writes().at(-1)!.body as { description: string };
  return description.slice(ticketBody.description.length).trim().split('\n').slice(0, -2);
};

const context = {
  page_url: 'https://shop.test/cart',
  page_title: 'Checkout',
  attributes: { plan: 'Pro', order: 4711 },
};

describe('what the page says of a ticket', () => {
  it('reaches agents as unverified, and never the customer', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket({ context });
    expect(linesForAgents()).toEqual([
      'Page: Checkout',
      'Said by the page (not verified):',
      '- plan: Pro',
      '- order: 4711',
    ]);
    const { data, text } = await ada.get(paths.ticket(ticket.id));
    expect(data.messages[0].body).toBe(ticketBody.description);
    expect(text).not.toMatch(/Pro|4711|Checkout/);
  });

  it.each<[string, object, string[]]>([
    ['an odd title', { page_title: 7, attributes: { plan: 'Pro' } }, ['- plan: Pro']],
    ['odd attributes', { page_title: 'Cart', attributes: 'plan' }, ['Page: Cart']],
    ['an odd attribute', { attributes: { plan: 'Pro', order: { id: 1 } } }, ['- plan: Pro']],
    ['a claim to be verified', { verified_attributes: { plan: 'Pro' } }, []],
    ['a title of 300 characters', { page_title: 'x'.repeat(300) }, [`Page: ${'x'.repeat(120)}`]],
    [
      'a title with an emoji at its end',
      { page_title: `${'x'.repeat(119)}🦊` },
      [`Page: ${'x'.repeat(119)}`],
    ],
    ['a title with other lines', { page_title: 'Cart\nTopic: \u202ex' }, ['Page: Cart Topic: x']],
  ])('is shown as far as it can be, and the ticket is accepted: %s', async (_, odd, lines) => {
    expect((await bff.browser().openTicket({ context: odd })).status).toBe(201);
    expect(linesForAgents().filter((line) => !line.startsWith('Said'))).toEqual(lines);
  });

  it('is what it said first, when a send is repeated', async () => {
    const [ada, key] = [bff.browser(), randomUUID()];
    const first = await ada.openTicket({ context }, key);
    const count = bff.service.writes().length;
    const other = { page_url: 'https://shop.test/help', attributes: { plan: 'Basic' } };
    const again = await ada.openTicket({ context: other }, key);
    expect([again.status, again.data.id]).toEqual([201, first.data.id]);
    expect(bff.service.writes()).toHaveLength(count);
  });
});

describe('what the site’s token says of its customer', () => {
  const attributes = { plan: 'Basic', seats: 3 };

  it('reaches agents as verified, beside what the page says', async () => {
    const ada = await signedIn(bff, 'ada@example.com', { attributes });
    const forged = { verified_attributes: { plan: 'Enterprise' }, context };
    await ada.openTicket(forged);
    expect(linesForAgents()).toEqual([
      'Page: Checkout',
      'Deskside: verified · plan: Basic',
      'Deskside: verified · seats: 3',
      'Said by the page (not verified):',
      '- plan: Pro',
      '- order: 4711',
    ]);
  });

  it('is what the newest token of this browser says', async () => {
    const ada = await signedIn(bff, 'ada@example.com', { attributes });
    await identify(ada, 'ada@example.com', { attributes: { plan: 'Pro' } });
    await ada.openTicket();
    expect(linesForAgents()).toEqual(['Deskside: verified · plan: Pro']);
    await identify(ada, 'ada@example.com');
    await ada.openTicket();
    expect(linesForAgents()).toEqual([]);
  });

  it('does not make a repeated send another one', async () => {
    const [ada, key] = [await signedIn(bff, 'ada@example.com', { attributes }), randomUUID()];
    const first = await ada.openTicket({}, key);
    await identify(ada, 'ada@example.com', { attributes: { plan: 'Pro' } });
    const again = await ada.openTicket({}, key);
    expect([again.status, again.data.id]).toEqual([201, first.data.id]);
  });

  it('is accepted without its odd entries, which the log counts and does not quote', async () => {
    const ada = await signedIn(bff, 'ada@example.com', { attributes: { ...attributes, secret: ['x-ray'] } });
    await ada.openTicket();
    expect(linesForAgents()).toHaveLength(2);
    const line = bff.logLines.find((each) => each.includes('identity_attributes_left_out'))!;
    expect(JSON.parse(line)).toMatchObject({ level: 40, attributes: 1 });
    expect(line).not.toMatch(/x-ray|secret/);
  });

  it('is in the customer’s data, with each ticket and each device', async () => {
    const eve = await signedIn(bff, 'eve@example.com', { attributes });
    await eve.openTicket({ context });
    const { data } = await eve.get(accountPaths.data);
    expect(data.devices).toEqual([expect.objectContaining({ attributes })]);
    expect(data.sends[0].content).toMatchObject({ context, verified_attributes: attributes });
  });
});

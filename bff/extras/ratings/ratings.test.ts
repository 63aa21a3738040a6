import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { addTickets, claim, identify, signedIn, withIdentity } from '../../testing/identity.ts';
import { answer, askedIn, openAnswered, rate } from './testing/rated.ts';

const ada = 'ada@example.com';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff({ ...withIdentity, values: { RATINGS: 'on' } });
});
afterEach(() => bff.stop());

const rows = () => bff.store.selectFrom('ratings').selectAll().execute();
const metrics = () => bff.metrics.registry.metrics();

describe('a rating', () => {
  it('is stored with its word encrypted, and counted', async () => {
    const { browser, id } = await openAnswered(bff);
    const { status } = await rate(browser, id, { solved: true, score: 5, word: ' Très bien, ça marche! ' });
    expect(status).toBe(200);
    const [row] = await rows();
    expect(row).toMatchObject({ ticket_id: id, solved: 1, score: 5, answers: 1, hook_at: null });
    expect(row!.word_sealed).not.toContain('marche');
    expect(bff.seal.open('ratings.word', row!.word_sealed!)).toBe('Très bien, ça marche!');
    expect(await metrics()).toContain('deskside_ratings_total{score="5"} 1');
    expect(await metrics()).toContain('deskside_solved_total{solved="yes"} 1');
  });

  it('is not asked of a colleague, and not taken from one', async () => {
    const [owner, colleague] = [await signedIn(bff, ada), await signedIn(bff, 'bob@example.com')];
    const { id } = await openAnswered(bff, owner);
    const [opener, reader] = await bff.store.selectFrom('subjects').select('id').orderBy('id').execute();
    const theirs = [{ ticketId: id, openerId: opener!.id }];
    await bff.grants.setColleagueTickets(reader!.id, theirs, bff.store);
    expect(await askedIn(owner, id)).toBe('ask');
    expect((await colleague.get(paths.ticket(id))).status).toBe(200);
    expect(await askedIn(colleague, id)).toBeUndefined();
    expect((await rate(colleague, id, { solved: true })).status).toBe(404);
    expect(await rows()).toEqual([]);
  });

  it('replaces the one before, and counts only what it changed', async () => {
    const { browser, id } = await openAnswered(bff);
    await rate(browser, id, { solved: true });
    await rate(browser, id, { solved: true, score: 2, word: 'Slow' });
    await rate(browser, id, { solved: true, score: 4 });
    expect(await rows()).toMatchObject([{ solved: 1, score: 4, word_sealed: null }]);
    const text = await metrics();
    expect(text).toContain('deskside_solved_total{solved="yes"} 1');
    expect(text).toContain('deskside_ratings_total{score="4"} 1');
  });

  it.each([
    [{}, 'required'],
    [{ word: 'Only a word' }, 'required'],
    [{ score: 0 }, 'invalid'],
    [{ score: 6 }, 'invalid'],
    [{ score: 4.5 }, 'invalid'],
    [{ score: '5' }, 'invalid'],
    [{ solved: 'yes', score: 5 }, 'invalid'],
    [{ score: 5, word: 'x'.repeat(501) }, 'too_long'],
    [{ score: 5, word: 5 }, 'invalid'],
  ])('%j is refused as %s, and nothing is stored', async (body, fault) => {
    const { browser, id } = await openAnswered(bff);
    const { status, error } = await rate(browser, id, body);
    expect([status, Object.values(error.fields)]).toEqual([400, [fault]]);
    expect(await rows()).toEqual([]);
  });

  it('of a ticket that has no id yet is refused', async () => {
    bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 503, data: '{}' } : undefined);
    const browser = bff.browser();
    const { data } = await browser.openTicket();
    expect((await rate(browser, data.key, { score: 5 })).status).toBe(404);
  });
});

describe('a customer', () => {
  it('is asked about an answer, and after a rating never again', async () => {
    const { browser, id } = await openAnswered(bff);
    expect(await askedIn(browser, id)).toBe('ask');
    await rate(browser, id, { solved: true });
    expect(await askedIn(browser, id)).toBe('done');
    answer(bff, id);
    expect(await askedIn(browser, id)).toBe('done');
  });

  it('who said that it is not solved is asked again about the next answer only', async () => {
    const { browser, id } = await openAnswered(bff);
    await rate(browser, id, { solved: false });
    expect(await askedIn(browser, id)).toBe('not_solved');
    await browser.post(paths.messages(id), { body: 'Still broken' });
    expect(await askedIn(browser, id)).toBe('not_solved');
    answer(bff, id);
    expect(await askedIn(browser, id)).toBe('ask');
    await rate(browser, id, { solved: true });
    answer(bff, id);
    expect(await askedIn(browser, id)).toBe('done');
  });

  it('is not asked again after signing in, when the ticket becomes theirs', async () => {
    const { browser, id } = await openAnswered(bff);
    await rate(browser, id, { score: 3, word: 'Fine' });
    await identify(browser, ada);
    expect(await askedIn(browser, id)).toBe('done');
    expect(await rows()).toHaveLength(1);
  });

  it('is not asked again after adding a ticket from before the sign-in', async () => {
    const { browser, id } = await openAnswered(bff);
    await rate(browser, id, { score: 3 });
    await identify(browser, 'bob@example.com');
    await addTickets(browser);
    expect(await askedIn(browser, id)).toBe('done');
    expect(await rows()).toHaveLength(1);
  });

  it('who claims a ticket neither gets nor keeps what the former holder said', async () => {
    const { browser, id } = await openAnswered(bff);
    await rate(browser, id, { score: 1, word: 'Of a stranger' });
    const owner = await signedIn(bff, ada);
    await claim(owner);
    expect(await askedIn(owner, id)).toBe('ask');
    expect(await rows()).toEqual([]);
  });

  it('finds the rating in their data, and nobody else does', async () => {
    const browser = await signedIn(bff, ada);
    const { id } = await openAnswered(bff, browser);
    await rate(browser, id, { solved: true, score: 4, word: 'Quick' });
    const { data } = await browser.get(accountPaths.data);
    expect(data.tickets[0].rating).toEqual({
      solved: true,
      score: 4,
      word: 'Quick',
      rated_at: expect.stringMatching(/Z$/),
    });
    const other = await openAnswered(bff, undefined, { customer_email: 'bob@example.com' });
    expect((await other.browser.get(accountPaths.data)).text).not.toContain('Quick');
  });

  it('who deletes their data leaves no rating, and neither does the command of the operator', async () => {
    const browser = await signedIn(bff, ada);
    const { id } = await openAnswered(bff, browser);
    await rate(browser, id, { score: 4, word: 'Quick' });
    await browser.request('DELETE', accountPaths.data);
    expect(await rows()).toEqual([]);
    const again = await openAnswered(bff);
    await rate(again.browser, again.id, { score: 4, word: 'Quick' });
    await bff.operatorData.forget(ada, 'keep');
    expect(await rows()).toEqual([]);
  });
});

describe('without RATINGS=on', () => {
  it('there is no route, and nothing in a conversation', async () => {
    const plain = await startBff();
    const { browser, id } = await openAnswered(plain);
    expect(await askedIn(browser, id)).toBeUndefined();
    expect((await rate(browser, id, { score: 5 })).status).toBe(404);
    expect(plain.extras.get('ratings')!.site).toBeUndefined();
    await plain.stop();
  });
});

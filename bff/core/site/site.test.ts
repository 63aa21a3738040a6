import { describe, expect, it } from 'vitest';
import { languages } from '../../../shared/i18n/languages.ts';
import { parseSchedule } from './schedule.ts';
import { brandIn, createSite, replyTimeInMail } from './site.ts';

const nothing = { schedule: null, replyTime: null, notice: null, links: [] };
const now = Date.parse('2026-11-23T10:00:00Z');

describe('the site', () => {
  it('is null without any of its settings', async () => {
    expect(await createSite(nothing, [])).toBeNull();
  });

  it('says the reply time in the language of the document', async () => {
    const siteOf = await createSite({ ...nothing, replyTime: { count: 2, unit: 'hour' } }, []);
    expect(siteOf!('en', now)).toEqual({ sentences: { replyTime: 'Usually replies in 2 hours' } });
    expect(siteOf!('de', now).sentences.replyTime).toBe('Übliche Antwortzeit: 2 Stunden');
    for (const { tag } of languages) expect(siteOf!(tag, now).sentences.replyTime).not.toContain('{');
  });

  it('has the hours with their translated sentences', async () => {
    const schedule = parseSchedule('Mo-Fr 09:00-17:00 Europe/Berlin');
    const site = (await createSite({ ...nothing, schedule }, []))!('en', now);
    expect(site.hours).toMatchObject({ isOpen: true });
    expect(site.sentences).toEqual({
      backOn: 'Back on {day} at {time}',
      backSoon: 'Back {day} at {time}',
      answerOn: 'You’ll hear from us on {day} after {time}.',
      answerSoon: 'You’ll hear from us {day} after {time}.',
    });
  });

  it('has the operator’s notice and links', async () => {
    const notice = { text: 'We are late.', until: now };
    const links = [{ label: 'Returns', url: 'https://shop.test/returns' }];
    const siteOf = await createSite({ ...nothing, notice, links }, []);
    expect(siteOf!('en', now)).toEqual({ sentences: {}, notices: [notice], links });
  });

  it('has the operator’s notice in the language of the document, before that of other parts', async () => {
    const notice = { text: { de: 'Später.', en: 'Late.' } };
    const other = { text: 'Slow' };
    const siteOf = await createSite({ ...nothing, notice }, [() => ({ notices: [other] })]);
    expect(siteOf!('de', now).notices).toEqual([{ text: 'Später.' }, other]);
    expect(siteOf!('fr', now).notices).toEqual([{ text: 'Late.' }, other]);
  });

  it('has the data of other parts, and all sentences together', async () => {
    const hash = { hash: 'a', top: [], sentences: {} } as never;
    const parts = [() => ({ sentences: { notify: 'Mail me' } }), () => ({ articles: hash })];
    const site = (await createSite({ ...nothing, replyTime: { count: 2, unit: 'hour' } }, parts))!('en', now);
    expect(site).toEqual({
      sentences: { notify: 'Mail me', replyTime: 'Usually replies in 2 hours' },
      articles: hash,
    });
  });
});

describe('the reply time in a mail', () => {
  const schedule = parseSchedule('Mo-Fr 09:00-17:00 Europe/Berlin');
  const replyTime = { count: 1, unit: 'day' } as const;
  const sunday = Date.parse('2026-11-22T10:00:00Z');

  it('while support is open is what the operator says', async () => {
    expect(await replyTimeInMail({ schedule, replyTime }, 'en', now)).toBe('Usually replies in 1 day');
    expect(await replyTimeInMail({ schedule, replyTime: null }, 'en', now)).toBeNull();
  });

  it('outside the hours is the next opening, in the time zone of support', async () => {
    const text = await replyTimeInMail({ schedule, replyTime }, 'en', sunday);
    expect(text?.replaceAll('\u202f', ' ')).toBe('Back on Monday, November 23 at 9:00 AM GMT+1');
  });

  it('is absent without these settings', async () => {
    expect(await replyTimeInMail({ schedule: null, replyTime: null }, 'en', now)).toBeNull();
  });
});

it.each([
  [['https://shop.test', 'https://www.test'], { url: 'https://shop.test', label: 'Back to shop.test' }],
  [
    ['https://*.shop.test', 'app://-', 'http://shop.test:8080'],
    { url: 'http://shop.test:8080', label: 'Back to shop.test:8080' },
  ],
  [['https://*.shop.test', 'capacitor://localhost'], undefined],
])('with the origins %j the full page leads to the first that is a site', (allowedOrigins, site) => {
  const brand = { brand: null, brandColor: null, brandLogo: null };
  expect(brandIn('en', { ...brand, allowedOrigins }).site).toEqual(site);
});

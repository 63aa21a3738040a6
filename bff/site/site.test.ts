import { describe, expect, it } from 'vitest';
import { languages } from '../../widget/i18n/languages.ts';
import { siteForm } from '../form/site-form.ts';
import { formOf } from '../testing/operator/form.ts';
import { parseSchedule } from './schedule.ts';
import { createSite, replyTimeInMail } from './site.ts';

const nothing = { notify: false, schedule: null, replyTime: null, formIn: null, articles: null };
const now = Date.parse('2026-11-23T10:00:00Z');

describe('the site', () => {
  it('is null without any of its settings', async () => {
    expect(await createSite(nothing)).toBeNull();
  });

  it('says the reply time in the language of the document', async () => {
    const siteOf = await createSite({ ...nothing, replyTime: { count: 2, unit: 'hour' } });
    expect(siteOf!('en', now)).toEqual({ sentences: { replyTime: 'Usually replies in 2 hours' } });
    expect(siteOf!('de', now).sentences.replyTime).toBe('Übliche Antwortzeit: 2 Stunden');
    for (const { tag } of languages) expect(siteOf!(tag, now).sentences.replyTime).not.toContain('{');
  });

  it('has the hours with their translated sentences', async () => {
    const schedule = parseSchedule('Mo-Fr 09:00-17:00 Europe/Berlin');
    const site = (await createSite({ ...nothing, schedule }))!('en', now);
    expect(site.hours).toMatchObject({ isOpen: true });
    expect(site.sentences).toEqual({
      backOn: 'Back on {day} at {time}',
      backSoon: 'Back {day} at {time}',
    });
  });

  it('has the operator’s form with its translated sentences, in the language of the document', async () => {
    const formIn = (tag: string) => siteForm(formOf(), tag);
    const site = (await createSite({ ...nothing, formIn }))!('de', now);
    expect(site.form?.topics[0]).toMatchObject({ id: 'order', label: 'Meine Bestellung' });
    expect(site.sentences.form?.topic).toBe('Thema');
  });

  it('asks whether to send a mail only where mails are sent', async () => {
    const site = (await createSite({ ...nothing, notify: true }))!('en', now);
    expect(site.sentences).toEqual({ notify: 'Tell me by mail when there’s a reply' });
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

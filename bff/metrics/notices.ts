import type { Declare } from './declare.ts';

/** Metrics of mails about tickets. */
export const noticeMetrics = ({ counter }: Declare) => ({
  mails: counter({
    name: 'deskside_ticket_mails_total',
    help: 'Mails about tickets that were due, by kind and result.',
    labelNames: ['kind', 'result'],
  }),
  mailRepeats: counter({
    name: 'deskside_ticket_mail_repeats_total',
    help: 'Mails about tickets that were sent again since it was not known whether they had been taken; with the same Message-ID.',
  }),
});

export interface NoticeSources {
  notices: { counts: () => Promise<{ due: number; followed: number }> };
}

export function noticeGauges({ gauge }: Declare, { notices }: NoticeSources): void {
  gauge({
    name: 'deskside_ticket_mails_due',
    help: 'Mails about tickets that are due, and not sent yet.',
    async collect() {
      this.set((await notices.counts()).due);
    },
  });
  gauge({
    name: 'deskside_followed_tickets',
    help: 'Tickets that are read now and then since their customers want a mail when an answer waits.',
    async collect() {
      this.set((await notices.counts()).followed);
    },
  });
}

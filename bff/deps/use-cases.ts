import { createVotes } from '../articles/votes.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { Removal } from '../tickets/removal.ts';
import { createForm } from '../form/form.ts';
import type { History } from '../history/history.ts';
import { createConnectionLimits } from '../limits/connections.ts';
import type { Limits } from '../limits/limits.ts';
import { createProof } from '../limits/proof.ts';
import type { Live } from '../live/live.ts';
import { createAdmission } from '../use-cases/admission.ts';
import { createArticleUseCases } from '../use-cases/articles.ts';
import { createUnsubscribe } from '../use-cases/unsubscribe.ts';
import { createHandoffUseCases } from '../use-cases/handoff.ts';
import { createOwnData } from '../use-cases/own-data.ts';
import { createRotate } from '../use-cases/rotate.ts';
import { createSignIn } from '../use-cases/sign-in.ts';
import { createTicketUseCases } from '../use-cases/tickets.ts';
import type { IdentityModules } from './identity.ts';
import type { NoticeRecords } from './notice-records.ts';
import type { Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** Creates the use cases: what a visitor can do, within the limits. */
export function createUseCases({
  outside: { config, store, articles: folder, mailer, seal, metrics, now },
  identity: { sessions, subjects, codes, handoffs, identityTokens },
  ticketModules: { operations, grants, transfers, threads, views, customerData },
  delivery,
  removal,
  live,
  limits,
  noticeRecords: { notices, suppressions, isOn },
  history,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'articles' | 'mailer' | 'seal' | 'metrics' | 'now'>;
  identity: IdentityModules;
  ticketModules: TicketModules;
  delivery: Delivery;
  removal: Removal;
  live: Live;
  limits: Limits;
  noticeRecords: NoticeRecords;
  history: Pick<History, 'search'>;
}) {
  const { brand, publicUrl } = config;
  const proof = createProof({ store, seal, mode: config.pow, results: metrics.proofs, now });
  const admission = createAdmission({ limits, proof, hasCodes: mailer !== null });
  const rotate = createRotate({ sessions, transfers, views, live });
  const connections = createConnectionLimits({
    perAddress: config.limits.streamsPerIp,
    refusals: metrics.limitRefusals,
  });
  const tickets = createTicketUseCases({
    grants,
    operations,
    views,
    threads,
    subjects,
    delivery,
    live,
    admission,
    connections,
    findExternalTickets: history.search,
    hasTicketMails: isOn,
    form: config.form && createForm({ form: config.form, now }),
  });
  const signIn = createSignIn({
    sessions,
    subjects,
    grants,
    transfers,
    views,
    live,
    admission,
    rotate,
    codes,
    identityTokens,
    mailer,
  });
  const handoff = createHandoffUseCases({
    sessions,
    subjects,
    views,
    admission,
    handoffs,
    rotate,
    publicUrl,
  });
  const ownData = createOwnData({
    sessions,
    subjects,
    transfers,
    removal,
    data: customerData,
    views,
    live,
  });
  const unsubscribe = createUnsubscribe({ suppressions, notices, brand: brand ?? new URL(publicUrl).host });
  const articles =
    folder &&
    createArticleUseCases({
      articles: folder,
      votes: createVotes({ store, now }),
      limits,
      counted: metrics.articleVotes,
    });
  return { tickets, signIn, handoff, ownData, unsubscribe, articles };
}

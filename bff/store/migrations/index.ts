import type { Migration } from 'kysely';
import { up as first } from './0001-first.ts';
import { up as identity } from './0002-identity.ts';
import { up as delivery } from './0003-delivery.ts';
import { up as attemptAge } from './0004-attempt-age.ts';
import { up as transfers } from './0005-transfers.ts';
import { up as deploys } from './0006-deploys.ts';
import { up as moved } from './0007-moved.ts';
import { up as retention } from './0008-retention.ts';
import { up as byHolder } from './0009-by-holder.ts';
import { up as instances } from './0010-instances.ts';
import { up as outbox } from './0011-outbox.ts';
import { up as watchShards } from './0012-watch-shards.ts';
import { up as notices } from './0013-notices.ts';
import { up as listedTickets } from './0014-listed-tickets.ts';
import { up as consents } from './0015-consents.ts';
import { up as articleVotes } from './0016-article-votes.ts';
import { up as leanOperations } from './0017-lean-operations.ts';

/** Run in the order of their names; a released one is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-first': { up: first },
  '0002-identity': { up: identity },
  '0003-delivery': { up: delivery },
  '0004-attempt-age': { up: attemptAge },
  '0005-transfers': { up: transfers },
  '0006-deploys': { up: deploys },
  '0007-moved': { up: moved },
  '0008-retention': { up: retention },
  '0009-by-holder': { up: byHolder },
  '0010-instances': { up: instances },
  '0011-outbox': { up: outbox },
  '0012-watch-shards': { up: watchShards },
  '0013-notices': { up: notices },
  '0014-listed-tickets': { up: listedTickets },
  '0015-consents': { up: consents },
  '0016-article-votes': { up: articleVotes },
  '0017-lean-operations': { up: leanOperations },
};

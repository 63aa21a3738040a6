import type { Hono } from 'hono';
import type { OpenedHook } from './delivery/ledger.ts';
import type { RecordHook } from './delivery/record.ts';
import type { AppEnv } from './http/context.ts';
import type { AddedSources } from './http/files/assets.ts';
import type { gate } from './http/gate.ts';
import type { CodeMailer } from './identity/codes.ts';
import type { ToldHook } from './live/live.ts';
import type { SitePart } from './site/site.ts';
import type { OperationRow } from './store/schema.ts';
import type { AgentTextHook } from './tickets/agent-text.ts';
import type { DataHook } from './tickets/customer-data.ts';
import type { TransferHook } from './tickets/grants.ts';
import type { ReadHook } from './tickets/threads.ts';
import type { SignedInHook } from './use-cases/sign-in.ts';
import type { ViewHook } from './tickets/views.ts';
import type { ReceivedHook } from './use-cases/received.ts';
import type { TicketHook } from './use-cases/tickets.ts';

/** What routes of an extra may use of the public port. */
export interface PublicPort {
  /** Refuses requests of other origins. Everything under `/api/` has it. */
  guard: ReturnType<typeof gate>;
  /** The best language of the widget for the wishes of a browser, most wanted first. */
  bestLanguage: (wishes: readonly string[]) => string;
}

/**
 * What a running extra adds to the core. All of it is optional: the core calls what is there, in the order of
 * `bff/extras/list.ts`, and knows no extra by name. The hooks are described beside the code that calls them.
 */
export interface Part
  extends
    RecordHook,
    OpenedHook,
    ReadHook,
    AgentTextHook,
    ViewHook,
    TransferHook,
    DataHook,
    TicketHook,
    ReceivedHook,
    SignedInHook,
    ToldHook,
    Partial<CodeMailer> {
  /** Routes of the public port, by the path that they are under. */
  routes?(port: PublicPort): Record<string, Hono<AppEnv>>;
  /**
   * Those of its paths where a POST brings bytes of any type and size. The route limits both, and says how long they may
   * take (`body-time.ts`).
   */
  uploads?: readonly string[];
  /** A host for what is under this path. It has nothing else, and no other host has it. */
  ownHost?: { host: string; path: string } | undefined;
  /** Data for the app's document. */
  site?: SitePart;
  /** What the app's policy admits beside its own. */
  sources?: AddedSources;
  /** Removes up to `limit` rows that are no longer needed, and returns how many. Called every hour until few are left. */
  chores?: readonly ((limit: number) => Promise<number>)[];
  /** A send has changed its state, by this process. */
  onSendChanged?(row: OperationRow): void;
  /** The service or its webhook says that something may have happened to this ticket. */
  onHint?(ticketId: string): void;
  /** No other process uses the store: ends what one that ended before `beforeMs` had reserved. */
  release?(beforeMs: number): Promise<void>;
  start?(): void | Promise<void>;
  /** Begins nothing new, and resolves when everything under way is done. */
  stop?(): void | Promise<void>;
  /** Called when no send is under way any more, before the store is closed. */
  close?(): void | Promise<void>;
  /** Called last, so that nothing else waits for it. */
  flush?(): void | Promise<void>;
}

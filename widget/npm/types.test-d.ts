/** Checked by the compiler alone: the types of the package are those of the frame. */
import type { Attributes as FrameAttributes } from '../../shared/contract/attributes.ts';
import type { FrameSettings, Prefill as FramePrefill } from '../bridge/messages.ts';
import type { ClientCalls } from '../headless/messages.ts';
import type { Client } from './client.d.ts';
import type { Attributes, Deskside, Prefill, Settings } from './deskside.d.ts';
import { h } from 'vue';
import { deskside } from './index.js';
import { Deskside as ForVue } from './vue.js';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { missing: B }) : { missing: A };
/** Compiles only with true. */
type Assert<T extends true> = T;

type ForFrame = Omit<FrameSettings, 'origin' | 'page_url' | 'inline' | 'identify'>;
export type SettingsAgree = Assert<Same<Required<Pick<Settings, keyof ForFrame>>, Required<ForFrame>>>;
export type PrefillAgrees = Assert<Same<Required<Prefill>, Required<FramePrefill>>>;
export type AttributesAgree = Assert<Same<Attributes, FrameAttributes>>;

/** The frame accepts what the package lets a site request. */
export type CallsAgree = Assert<
  {
    [Name in keyof ClientCalls]: Parameters<Client[Name]> extends Parameters<ClientCalls[Name]> ? true : Name;
  }[keyof ClientCalls]
>;

declare const page: Deskside;
const call: Deskside = deskside;
for (const say of [page, call]) {
  say('open', { view: 'new' });
  say('identify', async () => 'token');
  say('on', 'message-received', ({ ticket_id }) => ticket_id?.length);
  document.addEventListener('deskside:unread', ({ detail }) => detail.count + 1);
  // @ts-expect-error -- no such command
  say('explode');
  // @ts-expect-error -- no such event
  say('on', 'explosion', () => {});
  // @ts-expect-error -- no such view
  say('open', { view: 'old' });
  // @ts-expect-error -- a number is no colour
  say('update', { color: 1 });
}
const stop: () => void = deskside('on', 'unread', ({ count }) => count + 1);
stop();

// As templates check it: `@ticket-created`.
h(ForVue, { src: '', onTicketCreated: ({ ticket_id }) => ticket_id?.length });
// @ts-expect-error -- no such detail
h(ForVue, { src: '', onUnread: ({ total }) => total });
// @ts-expect-error -- the address is missing
h(ForVue, { brand: 'Acme' });

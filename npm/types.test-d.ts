/** Checked by the compiler alone: the types of the package and those of the loader are the same. */
import type { EventName as LoaderEventName } from '../widget/loader/events.ts';
import type { Settings as LoaderSettings } from '../widget/loader/settings.ts';
import type { Commands as LoaderCommands } from '../widget/loader/widget.ts';
import type { Commands, Deskside, EventName, Settings } from './deskside.d.ts';
import { deskside } from './index.js';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { missing: B }) : { missing: A };
/** Does not compile with anything but true. */
type Assert<T extends true> = T;

/** What the loader adds to the settings for the frame. */
type Told = 'origin' | 'page_url';
type Pending = 'titleBadge' | 'launcher' | 'destroy' | 'diagnose';

export type SettingsAgree = Assert<
  Same<Required<Omit<Settings, Pending>>, Required<Omit<LoaderSettings, Told>>>
>;
export type EventsAgree = Assert<Same<EventName, LoaderEventName>>;
export type NamesAgree = Assert<Same<Exclude<keyof Commands, Pending>, keyof LoaderCommands>>;
// Their parameters are compared above: settings, and names of events.
export type CommandsAgree = Assert<
  Same<Omit<Commands, Pending | 'on' | 'update'>, Omit<LoaderCommands, 'on' | 'update'>>
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

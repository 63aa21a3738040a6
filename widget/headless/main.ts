import { effect, signal } from '@preact/signals';
import { createClient } from '../app/api/client.ts';
import { createProofSolver } from '../app/api/proof.ts';
import { readStream } from '../app/api/stream.ts';
import { createToken } from '../app/api/token.ts';
import { readHash } from '../app/browser/address.ts';
import { systemClock } from '../app/browser/clock.ts';
import { newUuid, tabLock } from '../app/browser/page.ts';
import { createStore } from '../app/browser/storage.ts';
import { joinTabs } from '../app/browser/tabs.ts';
import { createCore } from '../app/core.ts';
import { openHost } from '../app/host.ts';
import { createSupport } from '../app/support.ts';
import { watchPage } from '../app/watch-page.ts';
import { openChannel } from '../bridge/channel.ts';
import { type FrameSettings, readSettings } from '../bridge/messages.ts';
import { createHeadless } from './headless.ts';
import { type ClientReport, type ClientRequest, readClientRequest } from './messages.ts';
import { Refused } from './refused.ts';

/**
 * The app without its views, in a hidden frame of a site that renders its own. SECURITY: the page can read everything
 * that is sent here. The operator allows its origin: the document's `frame-ancestors` names no other.
 */
function main(origin: string) {
  const settings = signal<Partial<FrameSettings>>(readSettings(readHash()));
  const host = openHost(origin, settings, null);
  const storage = createStore(() => localStorage);
  const pageUrl = () => settings.peek().page_url;
  let solve: ((challenge: unknown) => Promise<string | null>) | undefined;
  const api = createClient({
    send: (...request) => fetch(...request),
    token: createToken(createStore(() => sessionStorage)),
    owner: () => core.session.owner.peek() ?? null,
    readStream,
    solve: (challenge) => (solve ??= createProofSolver())(challenge),
    renew: () => core.renew(),
  });
  const options = {
    api,
    clock: systemClock,
    storage,
    lock: tabLock,
    newKey: newUuid,
    pageUrl,
    isEmbedded: true,
    isExpected: settings.peek().identify === true,
  };
  const core = createCore(options);
  const support = createSupport(core, {
    ...options,
    join: joinTabs,
    loadAccount: () => Promise.reject(new Error('without views')),
    onEvent: (event) => host.tell(event),
    onArrival() {},
    askForToken: () => host.askForToken(),
  });
  const { state, answer } = createHeadless({ core, support, clock: systemClock, pageUrl });

  const channel = openChannel<ClientRequest, ClientReport>(
    { source: () => window.parent, origin, read: readClientRequest },
    ({ id, name, args }) => {
      answer(name, args).then(
        (value) => channel.post({ type: 'answer', id, value }),
        (error: unknown) => {
          const { code, fields } = error instanceof Refused ? error : new Refused('internal');
          channel.post({ type: 'answer', id, code, fields });
          if (code === 'internal') reportError(error);
        },
      );
    },
    new AbortController().signal,
  );
  watchPage(support, storage);
  core.isOpen.value = true;
  support.start();
  host.attach(core);
  effect(() => channel.post({ type: 'state', state: state.value }));
}

const { origin } = readSettings(readHash());
document.documentElement.lang = new URLSearchParams(location.search).get('lang') ?? '';
if (origin) main(origin);

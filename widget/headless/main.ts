import { effect, signal } from '@preact/signals';
import { readHash } from '../app/browser/address.ts';
import { browser } from '../app/browser/browser.ts';
import { openHost } from '../app/host.ts';
import { createModels } from '../app/models.ts';
import { watchPage } from '../app/watch-page.ts';
import { openChannel } from '../bridge/channel.ts';
import { type FrameSettings, readSettings } from '../bridge/messages.ts';
import { createHeadless } from './headless.ts';
import { type ClientReport, readClientRequest } from './messages.ts';
import { Refused } from './refused.ts';

/**
 * The app without its views, in a hidden frame of a site that renders its own. SECURITY: the page can read everything
 * that is sent here. The operator allows its origin: the document's `frame-ancestors` names no other.
 */
function main(origin: string) {
  const settings = signal<Partial<FrameSettings>>(readSettings(readHash()));
  const host = openHost(origin, settings);
  const models = createModels({
    browser,
    pageUrl: () => settings.peek().page_url,
    isEmbedded: true,
    isExpected: settings.peek().identify === true,
    onEvent: host.tell,
    onArrival() {},
    askForToken: host.askForToken,
  });
  const { state, answer } = createHeadless(models);

  const post: (message: ClientReport) => void = openChannel(
    () => window.parent,
    origin,
    (value) => {
      const request = readClientRequest(value);
      if (!request) return;
      const { id, name, args } = request;
      answer(name, args).then(
        (result) => post({ type: 'answer', id, value: result }),
        (error: unknown) => {
          const { code, fields } = error instanceof Refused ? error : new Refused('internal');
          post({ type: 'answer', id, code, fields });
          if (code === 'internal') reportError(error);
        },
      );
    },
    new AbortController().signal,
  );
  watchPage(models);
  models.isOpen.value = true;
  models.start();
  host.attach(models);
  effect(() => post({ type: 'state', state: state.value }));
}

const { origin } = readSettings(readHash());
document.documentElement.lang = new URLSearchParams(location.search).get('lang') ?? '';
if (origin) main(origin);

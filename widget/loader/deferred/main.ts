import { isFrameMessage } from '../../bridge/messages.ts';
import type { Frame } from '../frame.ts';
import type { Core, Deferred } from '../deferred.ts';
import { createAway } from './panel/away.ts';
import { createBadge } from './badge.ts';
import { createDataLayer } from './page/data-layer.ts';
import { createDiagnosis } from './self-check/diagnose.ts';
import { createFocusPass } from './panel/focus.ts';
import { createIdentity } from './page/identity.ts';
import { createHours, type importModule } from './hours.ts';
import { createInline } from './page/inline.ts';
import { createLaunchers } from './page/launchers.ts';
import { createLink } from './page/link.ts';
import { createLook } from './look.ts';
import { createMistakes, readChanges } from './page/mistakes.ts';
import { createPageEvents } from './page/page-events.ts';
import { createSaid } from './page/said.ts';
import { createInvite } from './panel/invite.ts';
import { createPanel, iframeOf } from './panel/panel.ts';
import { createPhone } from './panel/phone.ts';
import { createPreview } from './panel/preview.ts';
import { createTranslation } from './translation.ts';
import { createStayOpen } from './panel/stay-open.ts';
import css from './styles.css?inline';
import { createTitleBadge } from './title.ts';
import { createTopLayer } from './panel/top-layer.ts';
import { createWidth } from './panel/width.ts';

/** Starts all features of the deferred script. */
export function start(core: Core, importHours?: typeof importModule): Deferred {
  const { view, frames, signal } = core;
  signal.throwIfAborted();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  view.shadow.adoptedStyleSheets = [...view.shadow.adoptedStyleSheets, sheet];

  const { check, checkTag } = createMistakes(core);
  core.read = readChanges;
  Object.assign(core.settings, readChanges(core.settings));
  const said = createSaid(core, check);
  const panel = createPanel(core);
  const pageEvents = createPageEvents(core, said);
  const preview = createPreview(core);
  const width = createWidth(core);
  const away = createAway(core);
  const translation = createTranslation(core);
  const identify = createIdentity(core);
  const inline = createInline(core, checkTag);
  const title = createTitleBadge(core);
  const hours = createHours(core, importHours);
  const diagnosis = createDiagnosis(core, hours.check);
  const painters = [
    translation.render,
    createLook(core),
    createBadge(core, translation.unread),
    preview.render,
    width.render,
    createTopLayer(core),
    createPhone(core),
    createFocusPass(core),
    hours.render,
    createLaunchers(core, hours.isAway),
    createInvite(core),
    title.render,
  ];
  const isOpened = view.root.classList.contains('open');
  const stayOpen = createStayOpen(core);
  createDataLayer(core, isOpened);
  createLink(core);
  const prefill = (frame: Frame) => {
    if (said.fields && iframeOf(frame)) frame.send({ type: 'prefill', fields: said.fields });
  };
  /** At every change and opening, since a single-page app changes its title without an event. */
  const tellContext = (frame: Frame) => {
    if (frame.box.className !== 'ready') return;
    // In messages rather than in the frame's address, which scripts that record the page's requests would send on.
    const page_title = core.settings.pageTitle === false ? undefined : title.own();
    frame.send({ type: 'context', context: { page_title, attributes: said.attributes } });
  };
  const connect = (frame: Frame) => {
    prefill(frame);
    void identify(frame);
  };
  function handle(message: unknown, frame: Frame) {
    if (!isFrameMessage(message)) return;
    panel.onMessage(message, frame);
    // A plain token has been sent to every frame.
    if (message.type === 'token' && typeof core.proof !== 'string') void identify(frame);
    if (frame === frames[0]) {
      preview.onMessage(message);
      width.onMessage(message);
    }
    away(message, frame);
    pageEvents.onMessage(message, frame);
    inline(message, frame);
    // Also after the page has moved an inline widget, which loads again by itself.
    if (message.type === 'ready') tellContext(frame);
    diagnosis.onMessage(message, frame);
  }
  frames.forEach(connect);
  // `connect` above has answered the requests for a token.
  for (const [message, frame] of core.early) if (message.type !== 'token') handle(message, frame);

  return {
    render(isOpen) {
      const settleFocus = panel.render(isOpen);
      stayOpen(isOpen);
      painters.forEach((paint) => paint(isOpen, pageEvents.unread()));
      frames.forEach(tellContext);
      settleFocus();
    },
    handle,
    connect,
    identify: (frame) => void identify(frame, true),
    prefill: () => frames.forEach(prefill),
    diagnose: diagnosis.run,
  };
}

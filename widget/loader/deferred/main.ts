import { isFrameMessage } from '../../bridge/messages.ts';
import type { Frame } from '../frame.ts';
import type { Core, Guest } from '../guest.ts';
import { createBadge } from './badge.ts';
import { createDiagnosis } from './diagnose.ts';
import { createFocusPass } from './focus.ts';
import { createIdentity } from './identity.ts';
import { createInline } from './inline.ts';
import { createLaunchers } from './launchers.ts';
import { createNews } from './news.ts';
import { createPhone } from './phone.ts';
import { createPreview } from './preview.ts';
import { createSpeech } from './speech.ts';
import css from './styles.css?inline';
import { createTitleBadge } from './title.ts';
import { createTopLayer } from './top-layer.ts';

/** Everything that the core of the widget does without until it is needed. */
export function createGuest(core: Core): Guest {
  const { view, frames, commands, signal } = core;
  signal.throwIfAborted();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  view.shadow.adoptedStyleSheets = [...view.shadow.adoptedStyleSheets, sheet];

  const news = createNews(core);
  const preview = createPreview(core);
  const speech = createSpeech(core);
  const renew = createIdentity(core);
  const inline = createInline(core);
  const diagnosis = createDiagnosis(core);
  const painters = [
    speech.render,
    createBadge(core, speech.unread),
    preview.render,
    createTopLayer(core),
    createPhone(core),
    createFocusPass(core),
    createLaunchers(core),
    createTitleBadge(core),
  ];
  view.shadow.addEventListener(
    'keydown',
    (event) => (event as KeyboardEvent).key === 'Escape' && commands.close(),
    { signal },
  );
  const fill = (frame: Frame) => {
    if (core.fields && frame.isLoaded()) frame.send({ type: 'prefill', fields: core.fields });
  };
  const introduce = (frame: Frame) => {
    fill(frame);
    void renew(frame);
  };
  function hear(message: unknown, frame: Frame) {
    if (!isFrameMessage(message)) return;
    if (message.type === 'token') void renew(frame);
    if (frame === frames[0]) preview.hear(message);
    news.hear(message, frame);
    inline(message, frame);
    diagnosis.hear(message, frame);
  }
  frames.forEach(introduce);
  // A token that was asked for in the meantime is on its way by now.
  for (const [message, frame] of core.early) if (message.type !== 'token') hear(message, frame);

  return {
    render: (isOpen) => painters.forEach((paint) => paint(isOpen, news.unread())),
    hear,
    introduce,
    renew: (frame) => void renew(frame),
    fill: () => frames.forEach(fill),
    diagnose: diagnosis.run,
  };
}

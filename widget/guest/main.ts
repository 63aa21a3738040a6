import type { Core, Guest } from '../loader/guest.ts';
import { createDiagnosis } from './diagnose.ts';
import { createFocusPass } from './focus.ts';
import { createIdentity } from './identity.ts';
import { createInline } from './inline.ts';
import { createLaunchers } from './launchers.ts';
import { createPhone } from './phone.ts';
import { createPreview } from './preview.ts';
import { createSpeech } from './speech.ts';
import css from './styles.css?inline';
import { createTitleBadge } from './title.ts';
import { createTopLayer } from './top-layer.ts';

/** Everything that the core of the widget does without until it is needed. */
export function createGuest(core: Core): Guest {
  const { view, frames } = core;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  view.shadow.adoptedStyleSheets.push(sheet);

  const renew = createIdentity(core);
  const preview = createPreview(core);
  const inline = createInline(core);
  const diagnosis = createDiagnosis(core);
  const painters = [
    createSpeech(core),
    preview.render,
    createTopLayer(core),
    createPhone(core),
    createFocusPass(core),
    createLaunchers(core),
    createTitleBadge(core),
  ];
  for (const frame of frames) if (frame.isLoaded()) void renew(frame);

  return {
    render: (isOpen, unread) => painters.forEach((paint) => paint(isOpen, unread)),
    hear(message, frame) {
      if (message.type === 'token') void renew(frame);
      if (frame === frames[0]) preview.hear(message);
      inline.hear(message, frame);
      diagnosis.hear(message, frame);
    },
    renew: (frame) => void renew(frame),
    mount: inline.mount,
    diagnose: diagnosis.run,
  };
}

import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Settings } from '../../npm/deskside.js';
import { type Choices, difference, untouched } from '../choices.ts';

interface PreviewProps {
  name: 'Desktop' | 'Phone';
  choices: Choices;
  /** Shows the panel, not only the launcher. */
  startsOpen?: boolean;
  frame: RefObject<HTMLIFrameElement | null>;
}

/**
 * The sample site with the real widget. While it is not tried out it is inert, so that a panel which opens or draws
 * itself anew cannot take the focus from the settings.
 */
export function Preview({ name, choices, startsOpen = false, frame }: PreviewProps) {
  const [isTried, setIsTried] = useState(false);
  const shown = useRef(untouched);

  const apply = () => {
    const changes = difference(shown.current, choices);
    shown.current = choices;
    frame.current?.contentWindow?.Deskside?.('update', changes as Settings);
  };
  useEffect(apply, [choices]);

  const onLoad = () => {
    shown.current = untouched;
    apply();
    if (startsOpen) frame.current?.contentWindow?.Deskside?.('open');
  };
  const tryOut = () => {
    setIsTried(true);
    // The frame takes the focus only once it is no longer inert.
    requestAnimationFrame(() => frame.current?.contentWindow?.focus());
  };
  return (
    <figure
      class={`preview ${name.toLowerCase()}`}
      onPointerEnter={() => setIsTried(true)}
      onPointerLeave={() => setIsTried(false)}
    >
      <figcaption>
        {name}
        <button type="button" class="quiet" onClick={tryOut}>
          Try it<span class="unseen"> in the {name.toLowerCase()} preview</span>
        </button>
      </figcaption>
      <iframe
        ref={frame}
        title={`${name} preview`}
        src="/playground/sample"
        inert={!isTried}
        onLoad={onLoad}
      />
    </figure>
  );
}

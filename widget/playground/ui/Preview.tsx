import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Settings } from '../../npm/deskside.d.ts';
import { type Choices, difference, untouched } from '../choices.ts';
import { keepFocusOutOf } from '../keep-focus.ts';

interface PreviewProps {
  name: 'Desktop' | 'Phone';
  choices: Choices;
  /** Shows the panel, not only the launcher. */
  startsOpen?: boolean;
  frame: RefObject<HTMLIFrameElement | null>;
}

/** A text is not previewed letter by letter, since some changes load the widget again. */
const settleMs = 200;

/** The sample site with the real widget; it can be used while the pointer is on it, or after "Try it". */
export function Preview({ name, choices, startsOpen = false, frame }: PreviewProps) {
  const [isTried, setIsTried] = useState(false);
  const shown = useRef(untouched);
  const widget = () => frame.current?.contentWindow?.Deskside;

  const apply = () => {
    const changes = difference(shown.current, choices);
    shown.current = choices;
    widget()?.('update', changes as Settings);
  };
  useEffect(() => {
    const timer = setTimeout(apply, settleMs);
    return () => clearTimeout(timer);
  }, [choices]);
  useLayoutEffect(() => {
    if (!isTried) return keepFocusOutOf(frame.current!);
    const leave = ({ target }: Event) => {
      if (!frame.current!.parentElement!.contains(target as Node)) setIsTried(false);
    };
    document.addEventListener('focusin', leave);
    return () => document.removeEventListener('focusin', leave);
  }, [isTried]);

  const onLoad = () => {
    shown.current = untouched;
    apply();
    if (startsOpen) widget()?.('open');
  };
  const tryOut = () => {
    setIsTried(true);
    // Once this is drawn the frame may take the focus.
    setTimeout(() => widget()?.('open'));
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
        src="./playground/sample"
        inert={!isTried}
        onLoad={onLoad}
      />
    </figure>
  );
}

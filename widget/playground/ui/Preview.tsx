import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Settings } from '../../npm/deskside.d.ts';
import { type Choices, difference, untouched } from '../choices.ts';
import { keepFocusOutOf } from '../keep-focus.ts';

/** What differs between visits, and is no setting of the widget. */
export interface Visit {
  scheme: 'light' | 'dark';
  page: 'ltr' | 'rtl';
}

interface PreviewProps {
  name: 'Desktop' | 'Phone';
  choices: Choices;
  visit: Visit;
  /** Shows the panel, not only the launcher. */
  startsOpen?: boolean;
  frame: RefObject<HTMLIFrameElement | null>;
}

/** A text is not previewed letter by letter, since some changes load the widget again. */
const settleMs = 200;

/** The sample site with the real widget; it can be used while the pointer is on it, or after "Try it". */
export function Preview({ name, choices, visit, startsOpen = false, frame }: PreviewProps) {
  const [isTried, setIsTried] = useState(false);
  const shown = useRef(untouched);
  const widget = () => frame.current?.contentWindow?.Deskside;

  const apply = () => {
    const root = frame.current?.contentDocument?.documentElement;
    if (root) {
      root.dir = visit.page;
      root.lang = visit.page === 'rtl' ? 'ar' : 'en';
      root.style.colorScheme = visit.scheme;
    }
    // The frame cannot be told what its visitor prefers, so it gets the theme that would follow.
    const wanted = choices['theme'] === 'auto' ? { ...choices, theme: visit.scheme } : choices;
    const changes = difference(shown.current, wanted);
    shown.current = wanted;
    if (Object.keys(changes).length) widget()?.('update', changes as Settings);
  };
  useEffect(() => {
    const timer = setTimeout(apply, settleMs);
    return () => clearTimeout(timer);
  }, [choices, visit]);
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

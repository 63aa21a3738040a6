import { useRef, useState } from 'preact/hooks';
import { type Choices, untouched } from '../choices.ts';
import { Controls } from './Controls.tsx';
import { Preview } from './Preview.tsx';
import { SelfCheck } from './SelfCheck.tsx';
import { Snippet } from './Snippet.tsx';

/** Settings on the left, the preview on the right, and below it the tag to copy. */
export function Playground({ languages }: { languages: string[] }) {
  const [choices, setChoices] = useState<Choices>(untouched);
  const desktop = useRef<HTMLIFrameElement>(null);
  const phone = useRef<HTMLIFrameElement>(null);
  return (
    <>
      <header class="top">
        <p class="logo">Deskside</p>
        <h1>Playground</h1>
        <p>Make the support widget yours, try it, and take the tag home.</p>
      </header>
      <main class="layout">
        <Controls
          choices={choices}
          languages={languages}
          onChange={(change) => setChoices((before) => ({ ...before, ...change }))}
        />
        <div class="stage">
          <section class="previews" aria-label="Preview">
            <Preview name="Desktop" choices={choices} startsOpen frame={desktop} />
            <Preview name="Phone" choices={choices} frame={phone} />
          </section>
          <div class="results">
            <Snippet choices={choices} />
            <SelfCheck frame={desktop} />
          </div>
        </div>
      </main>
    </>
  );
}

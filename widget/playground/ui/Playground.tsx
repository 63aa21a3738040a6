import { useRef, useState } from 'preact/hooks';
import { type Choices, untouched } from '../choices.ts';
import { Controls } from './Controls.tsx';
import { Options } from './choosing.tsx';
import { Preview, type Visit } from './Preview.tsx';
import { SelfCheck } from './SelfCheck.tsx';
import { Snippet } from './Snippet.tsx';

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

/** Settings on the left; the previews, which stay beside them; and below both the tag to copy. */
export function Playground({ languages }: { languages: string[] }) {
  const [choices, setChoices] = useState<Choices>(untouched);
  const [visit, setVisit] = useState<Visit>(() => ({
    scheme: prefersDark() ? 'dark' : 'light',
    page: 'ltr',
  }));
  /** The preview on screen where there is room for one only. */
  const [device, setDevice] = useState<'desktop' | 'phone'>('desktop');
  const desktop = useRef<HTMLIFrameElement>(null);
  const phone = useRef<HTMLIFrameElement>(null);
  return (
    <>
      <header class="top">
        <h1>Deskside playground</h1>
        <p>Make the support widget yours, try it, and take the tag home.</p>
        <a href="#snippet">Your snippet</a>
      </header>
      <main>
        <div class="layout">
          <Controls
            choices={choices}
            languages={languages}
            onChange={(change) => setChoices((before) => ({ ...before, ...change }))}
          />
          <section class="stage" aria-label="Preview">
            <div class="visit">
              <Options
                label="Visitor"
                value={visit.scheme}
                options={{ light: 'Light', dark: 'Dark' }}
                onChange={(scheme) => setVisit((before) => ({ ...before, scheme }))}
              />
              <Options
                label="Page"
                value={visit.page}
                options={{ ltr: 'Left to right', rtl: 'Right to left' }}
                onChange={(page) => setVisit((before) => ({ ...before, page }))}
              />
              <div class="device">
                <Options
                  label="Device"
                  value={device}
                  options={{ desktop: 'Desktop', phone: 'Phone' }}
                  onChange={setDevice}
                />
              </div>
            </div>
            <div class={`previews shows-${device}`}>
              <Preview name="Desktop" choices={choices} visit={visit} startsOpen frame={desktop} />
              <Preview name="Phone" choices={choices} visit={visit} frame={phone} />
            </div>
          </section>
        </div>
        <div class="results">
          <Snippet choices={choices} />
          <SelfCheck frame={desktop} />
        </div>
      </main>
    </>
  );
}

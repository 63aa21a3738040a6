import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import type { Check } from '../../npm/deskside.d.ts';
import { checkPreview, checkSite } from '../self-check.ts';
import { TextField } from './fields.tsx';

const verdicts = new Map<boolean | null, string>([
  [true, 'works'],
  [false, 'does not work'],
  [null, 'could not be found out'],
]);

interface Finding {
  about: string;
  checks: Check[];
}

/** Runs the widget's own diagnosis, and asks whether a site may show it. */
export function SelfCheck({ frame }: { frame: RefObject<HTMLIFrameElement | null> }) {
  const [site, setSite] = useState('');
  const [findings, setFindings] = useState<Finding[]>([]);
  const [isRunning, setIsRunning] = useState(false);

  async function run() {
    setIsRunning(true);
    const [ofSite, ofPreview] = await Promise.all([
      site ? checkSite(site) : null,
      checkPreview(frame.current?.contentWindow),
    ]);
    setFindings([
      ...(ofSite ? [{ about: 'Your site', checks: [ofSite] }] : []),
      { about: 'The preview on this page', checks: ofPreview },
    ]);
    setIsRunning(false);
  }
  return (
    <section class="card" aria-labelledby="self-check">
      <h2 id="self-check">Self-check</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextField
          label="Address of your site (optional)"
          placeholder="https://www.example.com"
          value={site}
          onChange={setSite}
        />
        <button type="submit" aria-disabled={isRunning}>
          Check
        </button>
      </form>
      <div aria-live="polite">
        {findings.map(({ about, checks }) => (
          <Checks key={about} about={about} checks={checks} />
        ))}
      </div>
      <p class="hint">
        On a page of your own: open the browser’s console there and run
        <code>Deskside('diagnose').then(({'{ checks }'}) =&gt; console.table(checks))</code>
      </p>
    </section>
  );
}

function Checks({ about, checks }: Finding) {
  return (
    <>
      <h3>{about}</h3>
      <ul class="checks" aria-label={about}>
        {checks.map(({ name, ok, hint }) => (
          <li key={name} data-ok={String(ok)}>
            <strong>
              {name}: {verdicts.get(ok)}
            </strong>
            <span>{hint}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

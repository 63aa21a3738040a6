import { useState } from 'preact/hooks';
import type { Choices } from '../choices.ts';
import { moduleSnippet, tagSnippet } from '../snippet.ts';
import { Options } from './choosing.tsx';

const snippets = { tag: tagSnippet, module: moduleSnippet };

export function Snippet({ choices }: { choices: Choices }) {
  const [kind, setKind] = useState<keyof typeof snippets>('tag');
  const [said, setSaid] = useState('');
  const code = snippets[kind](new URL('.', location.href).href.slice(0, -1), choices);
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => setSaid('Copied'),
      () => setSaid('The browser refuses to copy: select the text and copy it yourself'),
    );
  return (
    <section class="card" aria-labelledby="snippet">
      <h2 id="snippet">Your snippet</h2>
      <Options
        label="Form"
        value={kind}
        options={{ tag: 'Script tag', module: 'npm package' }}
        onChange={setKind}
      />
      <pre>
        <code>{code}</code>
      </pre>
      <p class="actions">
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <output>{said}</output>
      </p>
    </section>
  );
}

import { Component } from 'preact';
import { signal } from '@preact/signals';
import { digitsOf } from '../../../shared/contract/typed.ts';
import type { AppProps } from '../app.ts';

const length = 6;

interface CodeFieldProps extends AppProps {
  error: string | false;
  /** Gets the code once it is whole. */
  onWhole: (code: string) => void;
}

/**
 * The field for a code of six digits, drawn as six boxes. For keyboards, screen readers and password managers it is one
 * field. A code may be pasted anywhere in the panel.
 */
export class CodeField extends Component<CodeFieldProps> {
  #input = { current: null as HTMLInputElement | null };
  #count = signal(0);

  override componentDidMount() {
    document.addEventListener('paste', this.#onPaste);
  }

  override componentDidUpdate({ error }: CodeFieldProps) {
    // After a refusal the customer types the whole code again.
    if (this.props.error && !error) this.#take('');
  }

  override componentWillUnmount() {
    document.removeEventListener('paste', this.#onPaste);
  }

  #onPaste = (event: ClipboardEvent) => {
    const code = digitsOf(event.clipboardData?.getData('text') ?? '');
    if (event.target === this.#input.current || code.length !== length) return;
    event.preventDefault();
    this.#take(code);
  };

  #take(text: string) {
    const input = this.#input.current!;
    input.value = digitsOf(text).slice(0, length);
    this.#count.value = input.value.length;
    if (input.value.length === length) this.props.onWhole(input.value);
  }

  override render({ app, error }: CodeFieldProps) {
    const filled = this.#count.value;
    return (
      <div class="field">
        <label for="code">{app.s.code}</label>
        <div class="code">
          <input
            ref={this.#input}
            id="code"
            name="code"
            dir="ltr"
            inputMode="numeric"
            autoComplete="one-time-code"
            aria-required="true"
            aria-invalid={Boolean(error)}
            aria-describedby="code-note"
            data-focus="field"
            onInput={({ currentTarget }) => this.#take(currentTarget.value)}
          />
          {Array.from({ length }, (_, place) => (
            <i key={place} class={place === Math.min(filled, length - 1) ? 'next' : ''} />
          ))}
        </div>
        {error && (
          <p class="error" id="code-note">
            {error}
          </p>
        )}
      </div>
    );
  }
}

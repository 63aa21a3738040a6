import { addressIn, digitsOf } from '../../../shared/contract/typed.ts';
import { fill } from '../i18n/words.ts';
import { Bar, View } from '../ui/View.tsx';
import { Field, MeantAddress, readField } from '../ui/Field.tsx';
import type { AppProps } from '../app.ts';
import type { EmailCodeModel } from './email-code.ts';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import type { View as ViewName } from '../view.ts';
import { Button } from '../ui/Button.tsx';
import { Drawing } from '../ui/Icon.tsx';
import { Component } from 'preact';
import { signal } from '@preact/signals';

/** Finds earlier tickets by a code that proves the address. Never reveals whether an address is known. */
export function FindTickets({ app, emailCode }: AppProps & { emailCode: EmailCodeModel }) {
  const { s, newTicket, customer, session, view, fieldErrorText } = app;
  const { next, isOver } = view.current.value as Extract<ViewName, { name: 'find' }>;
  const isMoved = next !== undefined && session.current.value?.moved;
  const sentTo = emailCode.sentTo.value;
  const code = customer.task.failure.value?.code;
  // A code ends with the session that asked for it.
  const isRefused = code === 'invalid_request' || code === 'unauthenticated';
  return (
    <View app={app}>
      <Bar
        app={app}
        back={s.back}
        to={sentTo ? { name: 'find', ...(next !== undefined && { next }) } : undefined}
        title={next === undefined ? s.find : s.conversation}
      />
      <form
        class="body single-task"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (sentTo) void emailCode.verify(digitsOf(readField(event, 'code')), s.noneFound);
          else void emailCode.request(addressIn(readField(event, 'email')));
        }}
      >
        <Drawing path="M4 6h16v12H4zM4 7l8 6.5L20 7" />
        {sentTo ? (
          <>
            <p>{fill(s.codeSent, { email: sentTo })}</p>
            <CodeField
              app={app}
              error={isRefused && s.wrongCode}
              onWhole={(whole) => void emailCode.verify(whole, s.noneFound)}
            />
          </>
        ) : (
          <>
            {isOver && <p>{s.handoff.over}</p>}
            {next !== undefined && <p>{isMoved ? `${s.moved} ${s.movedBack}` : s.findHint}</p>}
            <Field
              key="email"
              app={app}
              name="email"
              label={s.fields.customer_email}
              kind={{ type: 'email', autoComplete: 'email' }}
              value={newTicket.fields.value.customer_email}
              onText={(text) => newTicket.set('customer_email', text)}
              onChange={newTicket.leaveAddress}
              error={isRefused && fieldErrorText('invalid', 'customer_email')}
              takesFocus
            >
              <MeantAddress app={app} field="email" />
            </Field>
          </>
        )}
        {!isRefused && <TaskStatus app={app} />}
        <button type="submit" class="button">
          {sentTo ? s.showTickets : s.sendCode}
        </button>
        {sentTo && <Button label={s.newCode} look="link" onClick={() => emailCode.request(sentTo)} />}
      </form>
    </View>
  );
}

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
class CodeField extends Component<CodeFieldProps> {
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

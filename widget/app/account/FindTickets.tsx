import { fill } from '../i18n/words.ts';
import { Bar } from '../ui/Bar.tsx';
import { Field } from '../ui/Field.tsx';
import { readField } from '../ui/fields.ts';
import type { PlaceProps } from '../shared.ts';
import type { EmailCodeModel } from './email-code.ts';
import { View } from '../ui/View.tsx';

/** Finds earlier tickets by a code that proves the address. Never reveals whether an address is known. */
export function FindTickets({ app, status, emailCode }: PlaceProps & { emailCode: EmailCodeModel }) {
  const { s, newTicket, customer, fieldErrorText } = app;
  const sentTo = emailCode.sentTo.value;
  const code = customer.task.failure.value?.code;
  // A code ends with the session that asked for it.
  const isRefused = code === 'invalid_request' || code === 'unauthenticated';
  return (
    <View app={app}>
      <Bar app={app} back={s.back} title={s.find} />
      <form
        class="body single-task"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (sentTo) void emailCode.verify(readField(event, 'code').trim());
          else void emailCode.request(readField(event, 'email').trim());
        }}
      >
        {sentTo ? (
          <>
            <p>{fill(s.codeSent, { email: sentTo })}</p>
            <Field
              key="code"
              app={app}
              name="code"
              label={s.code}
              kind={{ inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 6 }}
              error={isRefused && s.wrongCode}
              takesFocus
            />
          </>
        ) : (
          <Field
            key="email"
            app={app}
            name="email"
            label={s.fields.customer_email}
            kind={{ type: 'email', autoComplete: 'email' }}
            value={newTicket.fields.value.customer_email}
            onText={(text) => newTicket.set('customer_email', text)}
            error={isRefused && fieldErrorText('invalid', 'customer_email')}
            takesFocus
          />
        )}
        {!isRefused && status}
        <button type="submit" class="button">
          {sentTo ? s.showTickets : s.sendCode}
        </button>
        {sentTo && (
          <button type="button" class="link" onClick={() => void emailCode.request(sentTo)}>
            {s.newCode}
          </button>
        )}
      </form>
    </View>
  );
}

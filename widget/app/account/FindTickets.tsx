import { addressIn, digitsOf } from '../../../shared/contract/typed.ts';
import { fill } from '../i18n/words.ts';
import { Bar, View } from '../ui/View.tsx';
import { CodeField } from './CodeField.tsx';
import { Field, MeantAddress, readField } from '../ui/Field.tsx';
import type { AppProps } from '../app.ts';
import type { EmailCodeModel } from './email-code.ts';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import type { View as ViewName } from '../view.ts';
import { Button } from '../ui/Button.tsx';
import { Drawing } from '../ui/Icon.tsx';

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

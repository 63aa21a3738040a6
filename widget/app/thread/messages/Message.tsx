import type { OperationState } from '../../../../shared/contract/tickets.ts';
import { endings, type ShownMessage } from '../../outbox/sends.ts';
import { RichText } from '../../later-views.tsx';
import type { AppProps } from '../../app.ts';
import { Button } from '../../ui/Button.tsx';

interface MessageProps extends AppProps {
  message: ShownMessage;
  isLastOwn: boolean;
}

/** One message. The customer's own show their delivery state. */
export function Message({ app, message, isLastOwn }: MessageProps) {
  const { s, session, view } = app;
  const { state, hidden, body, author_type, files, by_mail, mailed_by } = message;
  return (
    <div class={`message ${state}`}>
      {(hidden || body || !files) && (
        <div class={hidden ? 'text withheld' : 'text'} translate={hidden || author_type === 'agent'}>
          {hidden ? s.hidden : <RichText app={app} text={body} author={author_type} />}
        </div>
      )}
      {files && app.site?.attached(app, message)}
      {hidden && session.current.value?.email_code && (
        <Button label={s.verify} look="link" onClick={() => view.go({ name: 'find' })} />
      )}
      {by_mail && (
        <div class="delivery">
          {s.byMail} <bdi>{mailed_by}</bdi>
        </div>
      )}
      {author_type === 'customer' && (state !== 'done' || isLastOwn) && (
        <Delivery app={app} message={message} />
      )}
    </div>
  );
}

function Delivery({ app, message }: Omit<MessageProps, 'isLastOwn'>) {
  const { s, outbox, sending, viewed, site, errorText } = app;
  const { key, state, can_retry, retry_at = 0 } = message;
  const reason = (can_retry && sending.problem.value) || message.error;
  const meanings: Partial<Record<OperationState, string>> = s.undecided;
  // Text that is in this browser only is sent only while the page is open.
  const canClosePage = outbox.sends.value.every(({ is_held }) => is_held);
  const isWaiting = state === 'accepted' || state === 'unknown';
  const isRefused = reason === 'invalid_request' || reason === 'payload_too_large';
  const isStuck = !can_retry && isRefused && viewed.value?.state !== 'rejected';
  return (
    <div class="delivery">
      {message.waits && site?.Uploads ? <site.Uploads app={app} sendKey={key!} /> : s.states[state]}
      {(can_retry || isStuck) && (
        <Button
          label={can_retry ? s.sendAgain : s.startOver}
          look="link"
          onClick={() => void (can_retry ? sending.sendAgain(key!) : sending.startWith([message]))}
        />
      )}
      {reason && !endings.has(reason) && (
        <span class="reason">{errorText(reason, (retry_at - Date.now()) / 1000)}</span>
      )}
      {can_retry && <span class="reason">{meanings[state]}</span>}
      {isWaiting && !can_retry && canClosePage && <span class="reason">{s.keepTrying}</span>}
    </div>
  );
}

import type { OperationState } from '../../../bff/contract/tickets.ts';
import type { ShownMessage } from '../state/sends.ts';
import { endings } from '../state/sends.ts';
import { splitText } from './pieces.ts';
import type { SharedProps } from './shared.ts';

interface MessageProps extends SharedProps {
  message: ShownMessage;
  isLastOwn: boolean;
  /** Whether the BFF holds all that the customer has sent. */
  canClosePage: boolean;
}

/** One message, as text nodes and safe links only; of the customer's own, how far it has come. */
export function Message({ app, message, isLastOwn, canClosePage }: MessageProps) {
  const { s, session, view } = app;
  const { state, hidden, body, author_type } = message;
  return (
    <div class={`message ${state}`}>
      <p class={hidden ? 'text withheld' : 'text'}>
        {hidden
          ? s.hidden
          : splitText(body).map(({ text, href, code }) => {
              if (code) return <code class={code}>{text}</code>;
              if (href === undefined) return text;
              return (
                <a href={href} title={href} dir="ltr" target="_blank" rel="noopener noreferrer nofollow">
                  {text}
                </a>
              );
            })}
      </p>
      {hidden && session.current.value?.email_code && (
        <button type="button" class="link" onClick={() => view.go({ name: 'find' })}>
          {s.verify}
        </button>
      )}
      {author_type === 'customer' && (state !== 'done' || isLastOwn) && (
        <Delivery app={app} message={message} canClosePage={canClosePage} />
      )}
    </div>
  );
}

function Delivery({ app, message, canClosePage }: Omit<MessageProps, 'isLastOwn'>) {
  const { s, sending, viewed, errorText } = app;
  const { key, state, can_retry, retry_at = 0 } = message;
  const reason = (can_retry && sending.problem.value) || message.error;
  const meanings: Partial<Record<OperationState, string>> = s.undecided;
  const isWaiting = state === 'accepted' || state === 'unknown';
  const isRefused = reason === 'invalid_request' || reason === 'payload_too_large';
  const isStuck = !can_retry && isRefused && viewed.value?.state !== 'rejected';
  return (
    <div class="delivery">
      {s.states[state]}
      {(can_retry || isStuck) && (
        <button
          type="button"
          class="link"
          onClick={() => void (can_retry ? sending.sendAgain(key!) : sending.startWith([message]))}
        >
          {can_retry ? s.sendAgain : s.startOver}
        </button>
      )}
      {reason && !endings.has(reason) && (
        <span class="reason">{errorText(reason, (retry_at - Date.now()) / 1000)}</span>
      )}
      {can_retry && <span class="reason">{meanings[state]}</span>}
      {isWaiting && !can_retry && canClosePage && <span class="reason">{s.keepTrying}</span>}
    </div>
  );
}

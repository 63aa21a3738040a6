import { maxLength } from '../../../shared/contract/limits.ts';
import { isBlank } from '../../../shared/contract/typed.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import { fill } from '../i18n/words.ts';
import { refOf } from '../ticket-list/names.ts';
import { Counter, sendKeys, submitOnSendKey } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { AppProps } from '../app.ts';

/** The form for a reply. */
export function Composer({ app, summary }: AppProps & { summary: TicketSummary }) {
  const { s, settings, drafts, sending, site } = app;
  const ref = refOf(summary);
  const { value } = drafts.reply(ref);
  const left = maxLength.body - value.length;
  // On touch screens, Enter is the only key that breaks a line.
  const sendsOnEnter = settings.value.enter !== 'newline' && matchMedia('(pointer: fine)').matches;
  // More than a line, or large text.
  const isLong = value.length > 24 || value.includes('\n') || matchMedia('(width < 18rem)').matches;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        sending.submitReply();
        event.currentTarget.querySelector('textarea')!.focus();
      }}
    >
      {site?.FileChips && <site.FileChips app={app} name={ref} />}
      <div class={isLong ? 'composer-box long' : 'composer-box'}>
        {site?.AttachButton && <site.AttachButton app={app} name={ref} />}
        <textarea
          rows={1}
          autoComplete="off"
          // An empty field has the direction of the panel, as its placeholder.
          dir={value ? 'auto' : undefined}
          value={value}
          placeholder={s.writeReply}
          aria-label={s.writeReply}
          aria-describedby="reply-hint reply-count"
          data-focus="field"
          onInput={(event) => drafts.write(ref, event.currentTarget.value)}
          onKeyDown={(event) => submitOnSendKey(event, sendsOnEnter)}
        />
        <button
          type="submit"
          class="send"
          aria-label={s.sendReply}
          title={s.sendReply}
          aria-disabled={(isBlank(value) && drafts.files(ref).value.length === 0) || left < 0}
        >
          <Icon name="up" />
        </button>
      </div>
      <p class="hint keys" id="reply-hint">
        {fill(s.sendHint, { keys: sendsOnEnter ? 'Enter' : sendKeys })}
      </p>
      <Counter app={app} id="reply-count" left={left} max={maxLength.body} />
    </form>
  );
}

import { AccountMenu, AccountNotices } from '../later-views.tsx';
import { Bar, BrandMark, brandOf } from './View.tsx';
import type { AppProps } from '../app.ts';

/** The first thing a customer sees: whose support this is, the greeting, and when an answer comes. */
export function Hero({ app }: AppProps) {
  const { s, settings } = app;
  // Looked up again when the panel is opened.
  void app.isOpen.value;
  const replyTime = app.site?.replyTime(Date.now());
  const notice = app.site?.notice(Date.now());
  return (
    <>
      <Bar app={app} actions={<AccountMenu app={app} />}>
        <p class="brand" translate={false}>
          <BrandMark app={app} />
          {brandOf(app)}
        </p>
      </Bar>
      <div class="hero">
        <h1 tabIndex={-1} data-focus="heading">
          {settings.value.greeting || s.start}
        </h1>
        {replyTime && <p class={replyTime.isAway ? 'reply-time away' : 'reply-time'}>{replyTime.text}</p>}
        {notice && (
          <p class="site-notice" dir="auto">
            {notice}
          </p>
        )}
      </div>
      <AccountNotices app={app} />
    </>
  );
}

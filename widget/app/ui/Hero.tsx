import { Transfer } from '../later-views.tsx';
import { Bar } from './Bar.tsx';
import { initialOf, logoOf } from './brand.ts';
import type { AppProps } from '../app.ts';
import { brandOf } from './View.tsx';

/** The first thing a customer sees: whose support this is, the greeting, and when an answer comes. */
export function Hero({ app }: AppProps) {
  const { s, settings } = app;
  const brand = brandOf(app);
  // Looked up again when the panel is opened.
  void app.isOpen.value;
  const replyTime = app.site?.replyTime(Date.now());
  const logo = logoOf(settings.value);
  return (
    <>
      <Bar app={app}>
        <p class="brand" translate={false}>
          <span class="brand-mark" aria-hidden="true">
            {initialOf(brand)}
            {logo && (
              <img
                src={logo}
                alt=""
                referrerPolicy="no-referrer"
                onError={({ currentTarget }) => currentTarget.remove()}
              />
            )}
          </span>
          {brand}
        </p>
      </Bar>
      <div class="hero">
        <h1 tabIndex={-1} data-focus="heading">
          {settings.value.greeting || s.start}
        </h1>
        {replyTime && <p class={replyTime.isAway ? 'reply-time away' : 'reply-time'}>{replyTime.text}</p>}
      </div>
      <Transfer app={app} />
    </>
  );
}

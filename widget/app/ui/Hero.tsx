import { Bar } from './Bar.tsx';
import type { SharedProps } from './shared.ts';

/** The first thing a customer sees: whose support this is, and the greeting. */
export function Hero({ app }: SharedProps) {
  const { s, session, settings, later } = app;
  const Offers = later.loaded.value?.Offers;
  const brand = settings.value.brand || session.current.value?.brand || s.support;
  return (
    <>
      <div class="hero">
        <Bar app={app}>
          <p class="brand">
            <span class="brand-mark" aria-hidden="true">
              {String.fromCodePoint(brand.codePointAt(0)!).toUpperCase()}
            </span>
            {brand}
          </p>
        </Bar>
        <h1 tabIndex={-1} data-focus="heading">
          {settings.value.greeting || s.start}
        </h1>
      </div>
      {Offers && <Offers app={app} />}
    </>
  );
}

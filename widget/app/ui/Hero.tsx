import { Bar } from './Bar.tsx';
import type { SharedProps } from '../shared.ts';
import { brandOf } from './View.tsx';

/** The first thing a customer sees: whose support this is, and the greeting. */
export function Hero({ app }: SharedProps) {
  const { s, settings, deferred } = app;
  const known = deferred.loaded.value?.app.known.loaded.value;
  const brand = brandOf(app);
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
      {known && <known.Offers app={known.app} />}
    </>
  );
}

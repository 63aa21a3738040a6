import type { AppProps } from '../app.ts';
import { initialOf, logoOf } from './brand.ts';
import { brandOf } from './View.tsx';

/** The brand's logo, or its first letter until the logo is loaded. Decorative: its name stands beside it. */
export function BrandMark({ app }: AppProps) {
  const logo = logoOf(app.settings.value);
  return (
    <span class="brand-mark" aria-hidden="true">
      {initialOf(brandOf(app))}
      {logo && (
        <img
          src={logo}
          alt=""
          referrerPolicy="no-referrer"
          onError={({ currentTarget }) => currentTarget.remove()}
        />
      )}
    </span>
  );
}

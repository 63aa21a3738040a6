import { html } from 'hono/html';
import { english, type Language, languages } from '../../../shared/i18n/languages.ts';

/** A message as it is mailed. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Who sends a mail. */
export interface Sender {
  /** The support desk's name, one line of plain text. */
  brand: string;
  /** Where the support desk runs. */
  host: string;
  /** As `#a8482a`. Null: the default look. */
  color: string | null;
  /** An `https:` or `data:` address. */
  logo: string | null;
}

export type Html = ReturnType<typeof html>;

/** The language of a reader, by its tag. Any tag that is not one of the widget means English. */
export const languageOf = (tag: string): Language => languages.find((each) => each.tag === tag) ?? english;

/** The style of less important text, on an element of the class `quiet`. */
export const quiet = 'margin: 0 0 24px; color: #5b6370; font-size: 14px;';

/** Black or white, whichever can be read on the colour: the rule of `widget/app/ui/tokens.css`. */
function readableOn(color: string): '#ffffff' | '#000000' {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.183 ? '#000000' : '#ffffff';
}

/** The main link of a mail: a button in the sender's colour. */
export const mainLink = (
  href: string,
  text: string,
  { color }: Pick<Sender, 'color'>,
): Html | Promise<Html> =>
  color === null
    ? html`<a class="link" style="color: #0b57d0;" href="${href}">${text}</a>`
    : html`<a
        style="display: inline-block; padding: 10px 20px; border-radius: 8px; background: ${color}; color: ${readableOn(
          color,
        )}; font-weight: 600; text-decoration: none;"
        href="${href}"
        >${text}</a
      >`;

/** The logo has a light ground: many are dark, and mail programs darken only what is behind them. */
function head({ brand, color, logo }: Sender) {
  if (color === null && logo === null) return '';
  return html`<p
    style="margin: 0 0 24px; padding: 16px 0 0; border-top: 4px solid ${color ?? '#e2e2e8'}; font-size: 18px; font-weight: 600;"
  >
    ${
      logo &&
      html`<img
        src="${logo}"
        alt=""
        height="32"
        style="height: 32px; width: auto; max-width: 160px; padding: 4px; margin-inline-end: 8px; border-radius: 8px; background: #ffffff; vertical-align: middle;"
      />`
    }${brand}
  </p>`;
}

/**
 * The HTML of a mail. It loads nothing from elsewhere but the logo. Styles are inline too, because many mail programs drop the
 * style sheet; then only the dark colours are lost.
 * @param part.sender shown above and below the body
 */
export async function mailPage(
  { tag, dir }: Language,
  part: { title: string; body: Html; sender: Sender },
): Promise<string> {
  const document = await html`<!doctype html>
    <html lang="${tag}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${part.title}</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          @media (prefers-color-scheme: dark) {
            .page,
            .card {
              background: #16181d !important;
              color: #f2f3f5 !important;
            }
            .box {
              background: #262a32 !important;
              color: #ffffff !important;
            }
            .quiet,
            .quiet a {
              color: #a9b0bb !important;
            }
            .link {
              color: #9ec1ff !important;
            }
          }
        </style>
      </head>
      <body
        class="page"
        style="margin: 0; padding: 32px 16px; background: #ffffff; color: #1b1e24; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;"
      >
        <div class="card" style="max-width: 440px; margin: 0 auto;">
          ${head(part.sender)} ${part.body}
          <p class="quiet" style="margin: 0; color: #5b6370; font-size: 14px;">
            ${part.sender.brand}, ${part.sender.host}
          </p>
        </div>
      </body>
    </html> `;
  return document.toString();
}

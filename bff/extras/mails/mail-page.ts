import { html, raw } from 'hono/html';
import { cut } from '../../core/text/canonical.ts';
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
export const quiet = 'margin: 0 0 16px; color: #5b6370;';

/** The default accent of the widget, on which white is readable. */
const defaultColor = '#0b6b5d';

/** How bright a colour is, from 0 to 1, as WCAG 2 reckons it. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever can be read on the colour: the rule of `widget/app/ui/tokens.css`. */
const readableOn = (color: string) => (luminance(color) > 0.183 ? '#000000' : '#ffffff');

/** The edge of what is filled with a colour: a grey where the colour could be taken for a light or a dark page. */
const edgeOf = (color: string) => (luminance(color) > 0.8 || luminance(color) < 0.03 ? '#868d99' : color);

/**
 * The main link of a mail: a button in the sender's colour. Outlook on Windows knows neither the padding of a link nor
 * round corners, so the cell has both too.
 */
export function mainLink(href: string, text: string, { color }: Pick<Sender, 'color'>) {
  const ground = color ?? defaultColor;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 0 0 24px;">
    <tr>
      <td bgcolor="${ground}" style="border-radius: 10px; background: ${ground}; mso-padding-alt: 12px 24px;">
        <a
          style="display: inline-block; padding: 12px 24px; border: 1px solid ${edgeOf(
            ground,
          )}; border-radius: 10px; background: ${ground}; color: ${readableOn(
            ground,
          )}; font-size: 16px; line-height: 1.25; font-weight: 600; text-decoration: none;"
          href="${href}"
          >${text}</a
        >
      </td>
    </tr>
  </table>`;
}

/** The logo has a light ground: many are dark, and mail programs darken only what is behind them. */
const head = ({ brand, logo }: Sender) =>
  html`<p style="margin: 0 0 20px; font-size: 18px; line-height: 1.4; font-weight: 600;">
    ${
      logo &&
      html`<img
        class="logo"
        src="${logo}"
        alt=""
        height="32"
        style="height: 32px; width: auto; max-width: 160px; margin-inline-end: 10px; border-radius: 6px; background: #ffffff; vertical-align: middle;"
      />`
    }<span dir="auto">${brand}</span>
  </p>`;

const previewLength = 140;

/**
 * What lists of mails show beside the subject: nobody sees it in the mail. Invisible spaces follow, so that nothing of
 * the mail comes after it.
 */
function preview(text: string) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const shown = line.length > previewLength ? `${cut(line, previewLength)}…` : line;
  const filling = '&nbsp;&zwnj;'.repeat(Math.max(0, previewLength - shown.length));
  return html`<div
    style="display: none; max-height: 0; max-width: 0; overflow: hidden; opacity: 0; font-size: 1px; line-height: 1px; color: transparent; mso-hide: all;"
    aria-hidden="true"
  >
    ${shown}${raw(filling)}
  </div>`;
}

/** What a mail says. */
interface Page {
  title: string;
  /** The first words that a list of mails shows, which need not be in the mail. */
  preview: string;
  body: Html;
  /** Small, below the body. */
  foot?: Html;
  /** The last words of all. Equal endings of mails in one conversation are hidden by Gmail, all of them. */
  reference?: string;
  sender: Sender;
}

/**
 * The HTML of a mail. It loads nothing from elsewhere but the logo. Styles are inline too, because many mail programs drop the
 * style sheet; then only the dark colours are lost. Language and direction are on an element of the body too, since
 * Gmail drops what is around it. The class `deskside-mail` tells whoever reads an answer which part of it is ours.
 */
export async function mailPage({ tag, dir }: Language, page: Page): Promise<string> {
  const { brand, host, color } = page.sender;
  const document = await html`<!doctype html>
    <html lang="${tag}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${page.title}</title>
        <style>
          :root {
            color-scheme: light dark;
          }
          @media (max-width: 480px) {
            .card > tbody > tr > td {
              padding: 24px 20px !important;
            }
            .foot {
              padding: 16px 20px 0 !important;
            }
          }
          @media (prefers-color-scheme: dark) {
            .page {
              background: #101216 !important;
              color: #f2f3f5 !important;
            }
            .card {
              background: #1b1e24 !important;
              border-inline-color: #2d323b !important;
              border-bottom-color: #2d323b !important;
              color: #f2f3f5 !important;
            }
            .box {
              background: #262a32 !important;
              color: #ffffff !important;
            }
            .ruled {
              border-color: #3a404b !important;
            }
            .logo {
              padding: 4px !important;
            }
            .quiet,
            .quiet a {
              color: #a9b0bb !important;
            }
          }
        </style>
      </head>
      <body class="page" style="margin: 0; padding: 0; background: #f4f5f7; color: #1b1e24;">
        ${preview(page.preview)}
        <div
          class="deskside-mail page"
          lang="${tag}"
          dir="${dir}"
          style="padding: 24px 12px; overflow-wrap: anywhere; background: #f4f5f7; color: #1b1e24; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif;"
        >
          ${raw('<!--[if mso]><table role="presentation" align="center" width="560"><tr><td><![endif]-->')}
          <table
            class="card"
            role="presentation"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            border="0"
            style="max-width: 560px; margin: 0 auto; border: 1px solid #e3e6eb; border-top: 4px solid ${
              color ?? defaultColor
            }; border-radius: 12px; border-collapse: separate; background: #ffffff; color: #1b1e24;"
          >
            <tr>
              <td style="padding: 28px 32px; font-size: 16px; line-height: 1.5; text-align: start;">
                ${head(page.sender)} ${page.body}
              </td>
            </tr>
          </table>
          <div
            class="quiet foot"
            style="max-width: 496px; margin: 0 auto; padding: 20px 32px 0; color: #5b6370; font-size: 14px; line-height: 1.5;"
          >
            ${page.foot ?? ''}
            <p style="margin: 0;">
              ${brand}, ${host}${page.reference && html` · <span dir="ltr">${page.reference}</span>`}
            </p>
          </div>
          ${raw('<!--[if mso]></td></tr></table><![endif]-->')}
        </div>
      </body>
    </html> `;
  return document.toString();
}

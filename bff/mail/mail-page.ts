import { html } from 'hono/html';
import type { Language } from '../../widget/i18n/languages.ts';

/** A message as it is mailed. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

type Html = ReturnType<typeof html>;

/** The style of less important text, on an element of the class `quiet`. */
export const quiet = 'margin: 0 0 24px; color: #5b6370; font-size: 14px;';

/**
 * The HTML of a mail. It loads nothing from elsewhere. Styles are inline too, because many mail programs drop the
 * style sheet; then only the dark colours are lost.
 * @param part.sender shown below the body
 */
export async function mailPage(
  { tag, dir }: Language,
  part: { title: string; body: Html; sender: string },
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
          ${part.body}
          <p class="quiet" style="margin: 0; color: #5b6370; font-size: 14px;">${part.sender}</p>
        </div>
      </body>
    </html> `;
  return document.toString();
}

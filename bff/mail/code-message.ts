import { html } from 'hono/html';
import { english, type Language, languages } from '../../widget/i18n/languages.ts';

/** A message as it is mailed. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

interface CodeMessage {
  /** Six digits. */
  code: string;
  /** The support desk's name, one line of plain text. */
  brand: string;
  /** Where the support desk runs, shown so that the reader can tell who asks. */
  host: string;
  /** Tag of a language that the widget has; any other means English. */
  language: string;
}

/** The message that carries a one-time code; nothing in it is loaded from elsewhere. */
export async function codeMessage({ code, brand, host, language }: CodeMessage): Promise<MailContent> {
  const known = languages.find(({ tag }) => tag === language) ?? english;
  const { subject, lead, use, warning } = known.sentences.codeMail;
  const fill = (sentence: string) => sentence.replace('{code}', code).replace('{brand}', () => brand);
  return {
    subject: fill(subject),
    text: `${fill(lead)}\n\n    ${code}\n\n${use}\n\n${warning}\n\n-- \n${brand}, ${host}\n`,
    html: await page(known, {
      title: fill(subject),
      lead: fill(lead),
      code,
      use,
      warning,
      sender: `${brand}, ${host}`,
    }),
  };
}

/** Styles are inline too: many mail programs drop the style sheet, which then loses only the dark colours. */
async function page(
  { tag, dir }: Language,
  part: Record<'title' | 'lead' | 'code' | 'use' | 'warning' | 'sender', string>,
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
            .code {
              background: #262a32 !important;
              color: #ffffff !important;
            }
            .quiet {
              color: #a9b0bb !important;
            }
          }
        </style>
      </head>
      <body
        class="page"
        style="margin: 0; padding: 32px 16px; background: #ffffff; color: #1b1e24; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;"
      >
        <div class="card" style="max-width: 440px; margin: 0 auto;">
          <p style="margin: 0 0 16px;">${part.lead}</p>
          <p
            class="code"
            style="margin: 0 0 16px; padding: 16px 24px; border-radius: 12px; background: #f1f3f6; color: #1b1e24; font-size: 32px; line-height: 1.2; font-weight: 700; letter-spacing: 6px; font-variant-numeric: tabular-nums; text-align: center;"
          >
            ${part.code}
          </p>
          <p style="margin: 0 0 24px;">${part.use}</p>
          <p class="quiet" style="margin: 0 0 24px; color: #5b6370; font-size: 14px;">${part.warning}</p>
          <p class="quiet" style="margin: 0; color: #5b6370; font-size: 14px;">${part.sender}</p>
        </div>
      </body>
    </html> `;
  return document.toString();
}

/** The pages that show what the demo has mailed. They get the mails, and know nothing of who sent them. */
import { html } from 'hono/html';
import { type ReadMail, readMail } from '../scripts/read-mail.ts';

/** A mail as the mail server took it. `at`: Unix milliseconds. */
export interface TakenMail {
  to: string[];
  text: string;
  at: number;
}

/** What a path of the mails answers. */
interface MailPage {
  body: string;
  securityPolicy: string;
}

const listPolicy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self'`,
  `connect-src 'self'`,
  `frame-src 'self'`,
  `base-uri 'none'`,
  `form-action 'self'`,
  `frame-ancestors 'none'`,
].join('; ');

/** SECURITY: a mail runs no script, and is of no origin, also when it is opened without its frame. */
const mailPolicy = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `img-src data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'self'`,
  `sandbox allow-popups allow-popups-to-escape-sandbox`,
].join('; ');

const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const subjectOf = (mail: ReadMail) => mail.header('Subject') || '(no subject)';

async function row({ to, text, at }: TakenMail, id: number, shownId: number) {
  const mail = await readMail({ to, text });
  return html`<li>
    <a href="/mails/${id}" aria-current="${id === shownId ? 'page' : 'false'}">
      <span dir="auto">${subjectOf(mail)}</span>
      <span class="about">${to.join(', ')} · ${time.format(at)}</span>
    </a>
  </li>`;
}

async function article(taken: TakenMail, id: number) {
  const mail = await readMail(taken);
  return html`<article aria-labelledby="subject">
    <h2 id="subject" dir="auto">${subjectOf(mail)}</h2>
    <p class="about">From ${mail.header('From') ?? ''} to ${mail.to.join(', ')}</p>
    ${
      mail.html !== null &&
      html`<iframe
        title="The mail"
        src="/mails/${id}/html"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
      ></iframe>`
    }
    <details ${mail.html === null ? 'open' : ''}>
      <summary>As plain text</summary>
      <pre dir="auto">${mail.text}</pre>
    </details>
    ${
      mail.header('Reply-To') !== undefined &&
      html`<form method="post" action="/mails/${id}/answer">
        <label for="words">Answer as the customer</label>
        <textarea id="words" name="words" rows="3" required></textarea>
        <button class="button">Send the answer</button>
        <p class="about">
          It arrives in the ticket. In the shop, a customer who has proven the address sees it.
        </p>
      </form>`
    }
  </article>`;
}

/** The list, newest first, and one mail. */
async function listPage(mails: readonly TakenMail[], shownId: number): Promise<string> {
  const shown = mails[shownId];
  const document = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Mails · Kettle &amp; Clay</title>
        <link rel="icon" href="/img/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/base.css" />
        <link rel="stylesheet" href="/mails.css" />
        <script defer src="/mails.js"></script>
      </head>
      <body>
        <header class="header">
          <a class="logo" href="/"
            ><img src="/img/icon.svg" alt="" width="36" height="36" />Kettle &amp; Clay</a
          >
        </header>
        <main>
          <h1>Mails to customers</h1>
          <p class="lead">
            ${
              shown
                ? 'Nothing leaves this machine. Mails are kept until the demo stops.'
                : 'No mail yet. Open a ticket in the shop: its confirmation arrives here.'
            }
          </p>
          ${
            shown &&
            html`<nav aria-label="Mails">
                <ul class="mails">
                  ${mails.map((mail, id) => row(mail, id, shownId)).toReversed()}
                </ul>
              </nav>
              ${article(shown, shownId)}`
          }
        </main>
      </body>
    </html>`;
  return document.toString();
}

/** The mail that a path with `/answer` is an answer to. */
export function answeredMail(mails: readonly TakenMail[], path: string): Promise<ReadMail> | null {
  const [, number] = /^\/mails\/(\d{1,9})\/answer$/.exec(path) ?? [];
  const taken = number === undefined ? undefined : mails[Number(number)];
  return taken ? readMail(taken) : null;
}

/** A link would open in the frame, where most pages refuse to be. */
const withNewTabs = (page: string) => page.replace('<head>', '$&<base target="_blank">');

/**
 * The pages of the mails that were taken: `/mails` with the newest, `/mails/0` with one, `/mails/0/html` its HTML. Null for
 * any other path.
 */
export async function mailPage(mails: readonly TakenMail[], path: string): Promise<MailPage | null> {
  const [, number, part] = /^\/mails(?:\/(\d{1,9})(\/html)?)?$/.exec(path) ?? [];
  if (path !== '/mails' && number === undefined) return null;
  const id = Number(number ?? mails.length - 1);
  const taken = mails[id];
  if (number !== undefined && !taken) return null;
  if (!part) return { body: await listPage(mails, id), securityPolicy: listPolicy };
  const { html: page } = await readMail(taken!);
  return page === null ? null : { body: withNewTabs(page), securityPolicy: mailPolicy };
}

/** @jsxImportSource hono/jsx */
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Agent } from '../../agents/agents.ts';
import { scriptPath } from '../script.ts';
import { sentences, type Sentences } from '../sentences/sentences.ts';
import { stylesheetPath } from '../stylesheet.ts';
import type { NoticeName } from './notices.ts';

const sections = [
  ['tickets', '/desk'],
  ['customers', '/desk/customers'],
  ['answers', '/desk/saved-answers'],
  ['keys', '/desk/keys'],
  ['webhooks', '/desk/webhooks'],
] as const;

export type Section = keyof Sentences['sections'];

const texts = sentences.page;

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A whole document around `children`. */
export function Document({ title, children }: { title: string; children: Child }): Html {
  const body = (
    <html lang={sentences.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={stylesheetPath} />
        <script src={scriptPath} defer />
      </head>
      <body>{children}</body>
    </html>
  );
  return html`<!doctype html>${body}`;
}

interface PageProps {
  title: string;
  section: Section;
  agent: Agent;
  /** The result of the last form; shown above the page. */
  notice?: NoticeName | undefined;
  /** For a page that updates itself: its address, and the version that it shows (`../version.ts`). */
  live?: { source: string; version: string } | undefined;
  /** A second skip link. */
  skip?: { to: string; label: string } | undefined;
  children: Child;
}

/** A page of a signed-in agent. */
export function Page({ title, section, agent, notice, live, skip, children }: PageProps): Html {
  return (
    <Document title={`${title} · ${agent.workspace_name}`}>
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      {skip ? (
        <a class="skip" href={skip.to}>
          {skip.label}
        </a>
      ) : null}
      <div class="frame">
        <header class="side">
          <p class="workspace">
            <span class="badge" aria-hidden="true">
              {initial(agent.workspace_name)}
            </span>
            {agent.workspace_name}
          </p>
          <nav aria-label={texts.sections}>
            {sections.map(([name, href]) => (
              <a href={href} aria-current={name === section ? 'page' : undefined}>
                {sentences.sections[name]}
              </a>
            ))}
          </nav>
          <form class="who" method="post" action="/desk/sign-out">
            <span class="email">{agent.email}</span>
            {/* The script shows it. */}
            <button class="quiet" type="button" id="show-keys" hidden>
              {texts.keys.title}
            </button>
            <button class="quiet" type="submit">
              {texts.signOut}
            </button>
          </form>
        </header>
        <main id="main" tabindex={-1} data-source={live?.source} data-version={live?.version}>
          {notice ? <output class="notice">{sentences.notices[notice]}</output> : null}
          {children}
        </main>
      </div>
      {/* The script's status line. */}
      <output class="live" id="live" />
      <KeysDialog />
    </Document>
  );
}

/** What the script's keys do. Turning them off is for those whose speech or hand would press them. */
function KeysDialog() {
  return (
    <dialog class="dialog" id="keys" aria-labelledby="keys-title">
      <form class="stack" method="dialog">
        <h2 id="keys-title">{texts.keys.title}</h2>
        <dl class="keys">
          {texts.keys.list.map(([key, does]) => (
            <div>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input type="checkbox" id="keys-on" autocomplete="off" />
          {texts.keys.on}
        </label>
        <button class="plain" type="submit" autofocus>
          {sentences.close}
        </button>
      </form>
    </dialog>
  );
}

/** First letter of a name, for a badge. */
export function initial(name: string): string {
  return Array.from(name.trim())[0]?.toUpperCase() ?? '?';
}

/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Agent } from '../../agents/agents.ts';
import { sentences } from '../sentences/sentences.ts';
import { Page, type Section } from './Page.tsx';

interface Props {
  agent: Agent;
  section: Section;
  title: string;
  /** Where the form goes that does it. */
  action: string;
  /** Label of the button that does it. */
  label: string;
  /** Where the page leads that asked. */
  back: string;
  /** What will become of what. */
  children: Child;
}

/** Asks before something that cannot be undone; a page of its own, so that it asks without script too. */
export function Confirm({ agent, section, title, action, label, back, children }: Props) {
  return (
    <Page title={title} section={section} agent={agent}>
      <form class="card stack confirm" method="post" action={action}>
        <h1>{title}</h1>
        {children}
        <p class="buttons">
          <button class="danger" type="submit">
            {label}
          </button>
          <a href={back}>{sentences.cancel}</a>
        </p>
      </form>
    </Page>
  );
}

/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Agent } from '../../agents/agents.ts';
import { sentences } from '../sentences/sentences.ts';
import { Page, type Section } from './Page.tsx';

interface Props {
  agent: Agent;
  section: Section;
  title: string;
  /** Address of the form that carries it out. */
  action: string;
  /** Label of the button that carries it out. */
  label: string;
  /** Address to return to. */
  back: string;
  /** What the action will do. */
  children: Child;
}

/** Asks before something that cannot be undone; It is a page of its own, so that it works without script. */
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

/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import { sentences } from '../sentences/sentences.ts';

interface Props {
  /** Path of the page that shows what is found. */
  action: string;
  search: string;
  label: string;
  hint: string;
  /** Fields that are sent along. */
  children?: Child;
}

export function SearchForm({ action, search, label, hint, children }: Props) {
  return (
    <search>
      <form class="search" method="get" action={action}>
        <input type="search" id="search" name="q" value={search} aria-label={label} placeholder={hint} />
        {children}
        <button class="plain" type="submit">
          {sentences.search}
        </button>
      </form>
    </search>
  );
}

import { readFileSync } from 'node:fs';
import type * as EventsourceParser from 'eventsource-parser';
import { expect, it } from 'vitest';
import { noParseErrors } from './no-parse-errors.ts';

const { handler } = noParseErrors.transform as unknown as { handler: (code: string) => string };
const code = readFileSync('node_modules/eventsource-parser/dist/index.js', 'utf8');

it('the parser of event streams makes no errors in the built scripts, and is otherwise unchanged', async () => {
  const built = handler(code);
  expect(code.split('new ParseError(')).toHaveLength(3);
  expect(built).not.toContain('new ParseError(');
  const { createParser } = (await import(
    `data:text/javascript,${encodeURIComponent(built)}`
  )) as typeof EventsourceParser;
  const events: unknown[] = [];
  const parser = createParser({ onEvent: ({ event, data }) => events.push([event, data]) });
  parser.feed('unknown: field\nretry: soon\nevent: ticket\ndata: {}\n\n');
  expect(events).toEqual([['ticket', '{}']]);
});

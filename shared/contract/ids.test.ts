import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTicketId } from './ids.ts';
import { paths } from './paths.ts';

const ordinary = [
  '3f2b6c1e-0000-4000-8000-000000000000',
  '1042',
  'ACME/42',
  'a b+c',
  '50%',
  '…',
  '...',
  'v1.2',
  'ü?x#y',
];
const steps = [
  '.',
  '..',
  '../../bff/core/identity',
  '..\\session',
  'a/../../session',
  'a/..',
  '%2e%2e',
  '.%2E/x',
  './x',
  '..?x',
  '.. ',
  'a\\.',
  'a\u2028/../b',
];

describe('a ticket id', () => {
  it.each(ordinary)('may be %j', (id) => expect(isTicketId(id)).toBe(true));

  it.each([...steps, '', 'a\0', 'a\nb', '\ud800', 'x'.repeat(201)])('cannot be %j', (id) =>
    expect(isTicketId(id)).toBe(false),
  );

  it('stays one segment of its path and is decoded to the same id, whatever it contains [browser-26]', () => {
    const part = fc.constantFrom('.', '..', '/', '\\', '%2e', '%2F', '?', '#', ' ', 'a', 'é', '\ud800', '\t');
    const id = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(id, (text) => {
        fc.pre(isTicketId(text));
        const { pathname, search, hash } = new URL(paths.messages(text), 'https://support.example.com');
        const [, api, tickets, segment, messages, ...more] = pathname.split('/');
        expect([api, tickets, messages, more, search, hash]).toEqual([
          'api',
          'tickets',
          'messages',
          [],
          '',
          '',
        ]);
        expect(decodeURIComponent(segment!)).toBe(text);
        // Simulates a proxy that decodes paths.
        const decoded = new URL(`/api/tickets/${text}`, 'https://support.example.com');
        expect(decoded.pathname).toMatch(/^\/api\/tickets\//);
      }),
      { numRuns: 2_000 },
    );
  });
});

import { expect, it } from 'vitest';
import { isPerhapsTooLong } from '../tickets/footer.ts';

it.each([
  ['a text that no way to count finds too long', { body: 'x'.repeat(20_000) }, false],
  ['a text that is too long in bytes', { body: '日'.repeat(7_000) }, true],
  ['a subject that is too long in bytes', { subject: 'ä'.repeat(151), description: 'Hello' }, true],
  ['a subject that is not', { subject: 'ä'.repeat(150), description: 'Hello' }, false],
  ['a field without a limit', { priority: 'high' }, false],
])('%s: %#', (_, payload, isLong) => {
  expect(isPerhapsTooLong(payload)).toBe(isLong);
});

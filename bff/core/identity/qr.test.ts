import { expect, it } from 'vitest';
import { qrRows } from './handoffs.ts';

/** The ring, gap and centre that mark three corners of every QR code. */
const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];

it('a link becomes a square with its three finder patterns and a light border', () => {
  const rows = qrRows(`https://support.example.com/#handoff=${'A'.repeat(22)}`);
  const last = rows.length - 1;
  expect(rows.every((row) => row.length === rows.length && /^[01]+$/.test(row))).toBe(true);
  for (const edge of [rows[0]!, rows[1]!, rows[last]!]) expect(edge).not.toContain('1');
  const corner = (top: number, left: number) =>
    rows.slice(top, top + 7).map((row) => row.slice(left, left + 7));
  expect(corner(2, 2)).toEqual(finder);
  expect(corner(2, last - 8)).toEqual(finder);
  expect(corner(last - 8, 2)).toEqual(finder);
});

it('different links give different codes', () => {
  expect(qrRows('https://example.com/#a')).not.toEqual(qrRows('https://example.com/#b'));
});

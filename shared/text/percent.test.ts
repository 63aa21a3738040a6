import { expect, it } from 'vitest';
import { percentEncoded } from './percent.ts';

it('a name is encoded with what ends a link in a text, or a value in a header', () => {
  expect(percentEncoded("it's (1)*, a/b!.png")).toBe('it%27s%20%281%29%2A%2C%20a%2Fb%21.png');
  expect(decodeURIComponent(percentEncoded('Füße 猫.pdf'))).toBe('Füße 猫.pdf');
});

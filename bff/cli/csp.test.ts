import { expect, it } from 'vitest';
import { refusingDirective } from './csp.ts';

const self = 'https://www.example.com';
const script = { kind: 'script', url: new URL('https://support.example.com/widget.js'), self } as const;
const frame = { kind: 'frame', url: new URL('https://support.example.com/frame'), self } as const;

it.each([
  ['', script],
  ["img-src 'self'", script],
  ['default-src *', script],
  ['default-src https:', frame],
  ["script-src 'self' https://support.example.com", script],
  ['script-src support.example.com', script],
  ['script-src https://*.example.com', script],
  ['script-src https://SUPPORT.example.com/widget.js', script],
  ['script-src https://support.example.com/', script],
  ['script-src http://support.example.com', script],
  ["script-src 'none'; script-src-elem https://support.example.com", script],
  ["script-src 'nonce-abc' 'strict-dynamic'", { ...script, nonce: 'abc' }],
  ["script-src 'none'; child-src https://support.example.com:*", frame],
  ["frame-src 'self'", { ...frame, self: 'https://support.example.com' }],
] as const)('%j allows a %o', (policy, wish) => {
  expect(refusingDirective(policy, wish)).toBeNull();
});

it.each([
  ["default-src 'self'", script, 'default-src'],
  ["default-src 'none'", frame, 'default-src'],
  ['script-src https://example.com', script, 'script-src'],
  ['script-src https://*.support.example.com', script, 'script-src'],
  ['script-src https://support.example.com:8443', script, 'script-src'],
  ['script-src https://support.example.com/other.js', script, 'script-src'],
  [
    'script-src https://support.example.com',
    { ...script, url: new URL('http://support.example.com/widget.js') },
    'script-src',
  ],
  ["script-src 'nonce-abc'", script, 'script-src'],
  ["script-src 'strict-dynamic' https://support.example.com", script, 'script-src'],
  ["SCRIPT-SRC 'self'; script-src *", script, 'script-src'],
  ["script-src *; frame-src 'self'", frame, 'frame-src'],
  ['script-src data: blob:', script, 'script-src'],
] as const)('%j refuses a %o', (policy, wish, directive) => {
  expect(refusingDirective(policy, wish)).toBe(directive);
});

import { expect, it } from 'vitest';
import { admits } from './origins.ts';

const embedders = [
  'https://www.shop.example',
  'https://*.example.com',
  'https://*.example.net:8443',
  'tauri://localhost',
];

it.each([
  'https://www.shop.example',
  'https://a.example.com',
  'https://a.b.example.com',
  'https://xn--bcher-kva.example.com',
  'https://a.example.net:8443',
  'tauri://localhost',
])('%s is admitted', (origin) => expect(admits(embedders, origin)).toBe(true));

it.each([
  'https://example.com',
  'https://.example.com',
  'https://evil-example.com',
  'https://example.com.evil.com',
  'https://*.example.com.evil.com',
  'https://a.example.com.',
  'https://A.EXAMPLE.com',
  'https://bücher.example.com',
  'http://a.example.com',
  'https://a.example.com:8443',
  'https://a.example.com:443',
  'https://a.example.net',
  'https://b.shop.example',
  'https://evil.com/.example.com',
  'https://evil.com?.example.com',
  'https://evil.com#.example.com',
  'https://evil.com\\.example.com',
  'https://user@a.example.com',
  'ionic://localhost',
  'tauri://localhost.example.com',
  'null',
  '',
])('%s is not admitted', (origin) => expect(admits(embedders, origin)).toBe(false));

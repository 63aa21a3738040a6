import { expect, it } from 'vitest';
import { embedder } from './values.ts';

it.each([
  'https://www.example.com',
  'http://localhost:3000',
  'https://*.example.com',
  'https://*.shops.example.com:8443',
  'capacitor://localhost',
  'https://*.xn--bcher-kva.example',
  'app://bundle.id',
  'app://-',
])('%s may be among ALLOWED_ORIGINS', (text) => expect(embedder.parse(text)).toBe(text));

it.each([
  ['https://www.example.com/', 'https://www.example.com'],
  ['HTTPS://Example.com:443', 'https://example.com'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
])('%s is taken for %s, as browsers name it', (text, named) => expect(embedder.parse(text)).toBe(named));

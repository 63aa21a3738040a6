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
])('%s may be among ALLOWED_ORIGINS', (text) => expect(embedder.safeParse(text).success).toBe(true));

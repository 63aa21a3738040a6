import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const packageDir = (name: string) => dirname(require.resolve(`${name}/package.json`));

const naughty: string[] = JSON.parse(
  readFileSync(join(packageDir('big-list-of-naughty-strings'), 'blns.json'), 'utf8'),
);
const fuzzer = readFileSync(join(packageDir('xss-filters'), 'tests/fuzz/bin/seed.xss'), 'utf8').split('\n');

/** Texts that only look like links, or that show one address and link to another. */
export const falseLinks = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' javascript://example.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'vbscript:msgbox(1)',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'https://bank.example@evil.example/',
  'https://bank.example:443@evil.example/',
  'https://bank.example%2F@evil.example/',
  'https://bаnk.example/',
  'https://bank.example\u2044login.evil.example/',
  'https://bank.example\uff0fevil.example/',
  'https://\u202emoc.knab.example/',
  'https:\\\\bank.example',
  '\u0001javascript:alert(1)',
];

/** What services are attacked with, from public lists: text that must be shown as text. */
export const payloads = [
  ...new Set([...naughty, ...fuzzer.map((line) => line.trimEnd()), ...falseLinks]),
].filter((text) => text.trim() !== '' && text.isWellFormed() && !text.includes('\0'));

import { expect, it } from 'vitest';
import { envFile, readEnvText } from './env-file.ts';

const read = (...lines: string[]) => readEnvText(lines.join('\n'), '.env');

it('values of an env file are read back exactly as they were written', () => {
  const values = {
    SUPPORT_API_URL: 'https://tickets.example.com',
    BRAND_NAME: "Kettle & Clay's # 1",
    IDENTITY_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    REPLY_TIME: '"2 hours" <or more>',
  };
  expect(readEnvText(envFile(values), '.env')).toEqual({ values, notes: [] });
});

it('an env file is read as its writer meant it: with a byte order mark, CRLF, export, spaces and comments', () => {
  expect(
    read(
      '\uFEFFPORT=1\r',
      '\r',
      ' # a comment\r',
      'export HOST = a  \r',
      'NOTICE="b" # c\r',
      'LOG_LEVEL= # d',
    ),
  ).toEqual({ values: { PORT: '1', HOST: 'a', NOTICE: 'b', LOG_LEVEL: '' }, notes: [] });
});

it.each([
  ['no equals sign', ['PORT=1', 'TRUST_PROXY 1', 'SECRET_KEY=x']],
  ['a colon', ['PORT=1', 'TRUST_PROXY: 1', 'SECRET_KEY=x']],
  ['a comment of another kind', ['PORT=1', '; a comment', 'SECRET_KEY=x']],
])('a line with %s is named, since it would take away the next setting', (_, lines) => {
  expect(() => read(...lines)).toThrow('line 2 of .env is not NAME=value');
});

it.each([
  ['a quote that is not closed', ['NOTICE="x', 'SECRET_KEY=y']],
  ['a quote that the next quoted setting closes', ['NOTICE="x', 'SECRET_KEY="y"']],
])('a value with %s is named', (_, lines) => {
  expect(() => read(...lines)).toThrow('NOTICE in .env has a quote that is not closed');
});

it.each([
  ['in the middle', 'IDENTITY_SECRET=abc#def'],
  ['at the beginning', 'IDENTITY_SECRET=#abc'],
])('a value without quotes that is cut at a # %s is noted, and not shown', (_, line) => {
  expect(read(line, 'NOTICE="a#b" # c', 'HOST=a # b#c').notes).toEqual([
    'IDENTITY_SECRET in .env ends before its #: put the value into quotes, if # belongs to it',
  ]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { IncomingMail } from '../incoming-mail.ts';
import { readMail } from '../read-mail.ts';

/*
 * Reads folders of real mails and prints what was found in each: `npm run corpora -- FOLDER…`. It takes `.eml`, `.html` and `.txt`, which
 * are mails, their HTML and their text.
 */

/** The words that the answers of talon's collection have, by the beginning of their names. */
const talonHtml = 'Hi. I am fine.\n\nThanks,\nAlex';

const asMail = (body: string, type: string) =>
  Buffer.from(`From: a@example.com\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}`);

async function read(path: string): Promise<IncomingMail> {
  const content = readFileSync(path);
  if (path.endsWith('.html')) return readMail(asMail(content.toString(), 'text/html'));
  if (path.endsWith('.txt')) return readMail(asMail(content.toString(), 'text/plain'));
  return readMail(content);
}

/** What a file must be, by its name. */
const expectedKind = (name: string): readonly IncomingMail['kind'][] => {
  if (/^(arf|rfc3834)-/.test(name)) return ['automatic'];
  if (/^(lhost|rhost|rfc3464|rb)-/.test(name)) return ['bounce'];
  return ['personal'];
};

const print = (text: string) => process.stdout.write(`${text}\n`);
const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => `    | ${line}`)
    .join('\n');

const counts = {
  files: 0,
  kind: 0,
  personal: 0,
  addresses: 0,
  bounces: 0,
  talon: 0,
  talonFiles: 0,
  unreadable: 0,
};
let slowest = { name: '', ms: 0 };
for (const folder of process.argv.slice(2))
  for (const name of readdirSync(folder)
    .filter((each) => /\.(eml|html|txt)$/.test(each))
    .toSorted()) {
    counts.files += 1;
    const started = performance.now();
    try {
      const mail = await read(join(folder, name));
      const ms = performance.now() - started;
      if (ms > slowest.ms) slowest = { name, ms };
      const isRight = expectedKind(name).includes(mail.kind);
      if (isRight) counts.kind += 1;
      if (mail.kind === 'personal' && !expectedKind(name).includes('personal')) counts.personal += 1;
      if (mail.bounce) counts.bounces += 1;
      if (mail.bounce?.addresses.length) counts.addresses += 1;
      const found = mail.bounce
        ? ` ${mail.bounce.addresses.join(' ')} ${mail.bounce.isPermanent ? 'permanent' : 'may pass'}`
        : '';
      print(`${isRight ? ' ' : '!'} ${basename(folder)}/${name}: ${mail.kind}${found}`);
      if (mail.kind === 'personal') print(indented(mail.words));
      if (name.endsWith('.html')) {
        counts.talonFiles += 1;
        if (mail.words === talonHtml) counts.talon += 1;
        else print('! not the words that talon expects');
      }
    } catch (error) {
      counts.unreadable += 1;
      print(`! ${basename(folder)}/${name}: ${String(error)}`);
    }
  }
print(
  [
    `${counts.files} files, ${counts.unreadable} not read`,
    `${counts.kind} of the expected kind; ${counts.personal} that nobody wrote taken for personal`,
    `${counts.bounces} bounces, ${counts.addresses} with an address`,
    `${counts.talon} of ${counts.talonFiles} HTML answers with exactly the expected words`,
    `slowest: ${slowest.name}, ${Math.round(slowest.ms)} ms`,
  ].join('\n'),
);

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

const counts = { kind: 0, personal: 0, addresses: 0, bounces: 0, talon: 0, talonFiles: 0, unreadable: 0 };
let slowest = { name: '', ms: 0 };

function judge(name: string, mail: IncomingMail): string[] {
  const kinds = expectedKind(name);
  const isRight = kinds.includes(mail.kind);
  counts.kind += Number(isRight);
  counts.personal += Number(mail.kind === 'personal' && !kinds.includes('personal'));
  counts.bounces += Number(mail.bounce !== null);
  counts.addresses += Number((mail.bounce?.addresses.length ?? 0) > 0);
  const isTalon = mail.words === talonHtml;
  if (name.endsWith('.html')) {
    counts.talonFiles += 1;
    counts.talon += Number(isTalon);
  }
  const { addresses = [], isPermanent = false } = mail.bounce ?? {};
  const found = mail.bounce ? ` ${addresses.join(' ')} ${isPermanent ? 'permanent' : 'may pass'}` : '';
  return [
    `${isRight ? ' ' : '!'} ${name}: ${mail.kind}${found}`,
    ...(mail.kind === 'personal' ? [indented(mail.words)] : []),
    ...(name.endsWith('.html') && !isTalon ? ['! not the words that talon expects'] : []),
  ];
}

const paths = process.argv
  .slice(2)
  .flatMap((folder) =>
    readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name)),
  )
  .filter((path) => /\.(eml|html|txt)$/.test(path));
for (const path of paths) {
  const name = basename(path);
  const started = performance.now();
  try {
    const mail = await read(path);
    const ms = performance.now() - started;
    if (ms > slowest.ms) slowest = { name, ms };
    judge(name, mail).forEach(print);
  } catch (error) {
    counts.unreadable += 1;
    print(`! ${path}: ${String(error)}`);
  }
}
print(
  [
    `${paths.length} files, ${counts.unreadable} not read`,
    `${counts.kind} of the expected kind; ${counts.personal} that nobody wrote taken for personal`,
    `${counts.bounces} bounces, ${counts.addresses} with an address`,
    `${counts.talon} of ${counts.talonFiles} HTML answers with exactly the expected words`,
    `slowest: ${slowest.name}, ${Math.round(slowest.ms)} ms`,
  ].join('\n'),
);

import { describe, expect, it } from 'vitest';
import type { Sent } from '../customers/sent.ts';
import { contentOf } from '../schedules/plan.ts';
import { type FileEvidence, judgeFiles } from './judge-files.ts';

const file = (name: string) => ({ name, size: 4, isCut: false, isTwice: false });
const link = (name: string) => `http://127.0.0.1/f/${name}/${name}.txt`;
const line = (name: string) => `File: ${name}.txt, 4 bytes, ${link(name)}`;
const textOf = (...names: string[]) =>
  `Look.\n\n${names.map(line).join('\n')}\n\nDeskside: details ${names.length}`;

const send: Sent = {
  key: 'key',
  email: 'ada@example.com',
  text: 'Look.',
  files: [file('a'), file('b')],
  opening: null,
  subject: 'The lid',
  told: ['done'],
  wasUndecided: false,
  end: 'done',
  refusal: null,
  ticketId: 't1',
  messageId: null,
};
const ticket = (description = textOf('a', 'b'), id = 't1') => ({
  id,
  email: send.email,
  subject: send.subject,
  description,
  messages: [],
});
const opened = new Map(['a', 'b', 'x'].map((name) => [link(name), contentOf(file(name))]));
const verdict = (more: Partial<FileEvidence> = {}) =>
  judgeFiles({ sent: [send], stored: [ticket()], opened, kept: ['a a ', 'b b '], ...more });

describe('judgeFiles', () => {
  it('accepts a message with its files, and files of one that its customer may send again', () => {
    expect(verdict()).toEqual([]);
    expect(verdict({ sent: [{ ...send, end: 'undecided' }], stored: [] })).toEqual([]);
  });

  it.each<[string, Partial<FileEvidence>, string]>([
    ['a link that opens nothing', { opened: new Map([[link('a'), 'a a ']]) }, 'lost'],
    ['a message without its second file', { stored: [ticket(textOf('a'))] }, 'lost'],
    ['a message with a file of somebody else', { stored: [ticket(textOf('a', 'x'))] }, 'mixed up'],
    ['a message with one file twice', { stored: [ticket(textOf('a', 'b', 'b'))] }, 'duplicated'],
    ['two messages with one link', { stored: [ticket(), ticket(textOf('a'), 't2')] }, 'duplicated'],
    ['a file that is kept twice', { kept: ['a a ', 'b b ', 'b b '] }, 'duplicated'],
    ['a file of no message', { kept: ['a a ', 'b b ', 'x x '] }, 'orphaned'],
    ['a file of a message that was refused', { sent: [{ ...send, end: 'rejected' }] }, 'orphaned'],
  ])('finds %s', (_, evidence, finding) =>
    expect(verdict(evidence)).toContainEqual(expect.stringMatching(`^${finding}`)),
  );
});

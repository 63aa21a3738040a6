import { expect, it, vi } from 'vitest';
import { early, refusedMark, refuseFiles } from './refuse-files.ts';

const file = new File(['x'], 'x.png');
const refuse = vi.fn<(event: Event) => void>();
refuseFiles();
document.addEventListener(refusedMark, refuse);

/** Whether the browser may do what it does by itself, and how many times a file was refused. */
function after(type: string, on: string, types: readonly string[], text = '') {
  refuse.mockClear();
  const target = document.createElement(on);
  document.body.replaceChildren(target);
  const data = { types, files: [file], getData: () => text };
  const event = new Event(type, { bubbles: true, cancelable: true });
  target.dispatchEvent(Object.assign(event, { dataTransfer: data, clipboardData: data }));
  return [!event.defaultPrevented, refuse.mock.calls.length];
}

it('a refused file is in the event, and kept for an app that is not there yet', () => {
  after('drop', 'p', ['Files']);
  expect(refuse.mock.calls[0]![0]).toMatchObject({ detail: [file] });
  expect(early.refused).toEqual([file]);
});

it.each([
  ['dragover', 'p', ['Files'], false, 0],
  ['drop', 'p', ['Files'], false, 1],
  ['drop', 'textarea', ['Files'], false, 1],
  // A picture of a page.
  ['drop', 'input', ['text/uri-list', 'text/html', 'Files'], false, 1],
  ['dragover', 'p', ['text/uri-list'], false, 0],
  ['drop', 'p', ['text/uri-list', 'text/plain'], false, 0],
  ['dragover', 'textarea', ['text/plain'], true, 0],
  ['drop', 'textarea', ['text/plain'], true, 0],
  ['drop', 'input', ['text/uri-list', 'text/plain'], true, 0],
  ['paste', 'textarea', ['Files'], false, 1],
  ['paste', 'p', ['text/html', 'Files'], false, 1],
  ['paste', 'textarea', ['text/plain'], true, 0],
] as const)(
  '%s on %s of %j is left to the browser: %s; files refused: %s',
  (type, on, types, ...expected) => {
    expect(after(type, on, types)).toEqual(expected);
  },
);

it.each([
  ['a text, and a picture of it', ['text/plain', 'text/html', 'Files'], 'x', true, 0],
  ['a file, and its name', ['text/plain', 'Files'], 'x.png', false, 1],
  ['files, and their names', ['text/plain', 'Files'], 'x.png\ny.png', false, 1],
] as const)(
  'paste of %s: %j, “%s”, is left to the browser: %s; files refused: %s',
  (_, types, text, ...expected) => {
    expect(after('paste', 'textarea', types, text)).toEqual(expected);
  },
);

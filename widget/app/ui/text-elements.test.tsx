import { type ComponentChild, options, render } from 'preact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderTextsByElements } from './text-elements.ts';

let root: HTMLElement;
const { vnode } = options;
beforeEach(() => {
  renderTextsByElements();
  root = document.createElement('div');
});
afterEach(() => {
  options.vnode = vnode!;
});

const texts = (within: Node) => {
  const found: Text[] = [];
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
};
const translate = () => {
  for (const text of texts(root)) {
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = text.data.toUpperCase();
    outer.append(inner);
    text.replaceWith(outer);
  }
};
const split = () => {
  for (const text of texts(root)) text.splitText(1);
};
const wrap = () => {
  for (const text of texts(root)) {
    const mark = document.createElement('mark');
    text.replaceWith(mark);
    mark.append(text);
  }
};
const remove = () => {
  for (const text of texts(root)) text.remove();
};
const decorate = () => {
  for (const element of root.querySelectorAll('*')) {
    element.setAttribute('data-gramm', 'false');
    element.after(document.createElement('grammarly-extension'));
  }
};

/** What is drawn at first, what then, and the text of that. */
const changes: Record<string, () => [first: ComponentChild, second: ComponentChild, text: string]> = {
  'one text': () => [<p>Sending</p>, <p>Sent</p>, 'Sent'],
  'texts in a row': () => [<p>{1} left</p>, <p>{2} left</p>, '2 left'],
  'a text beside an element': () => [
    <p>
      Sending <b>1</b>
    </p>,
    <p>
      Sent <b>2</b>
    </p>,
    'Sent 2',
  ],
  'an element in place of a text': () => [
    <p>Sending</p>,
    <p>
      <b>Sent</b>
    </p>,
    'Sent',
  ],
  'a text in place of an element': () => [
    <p>
      <b>Sending</b>
    </p>,
    <p>Sent</p>,
    'Sent',
  ],
  'one text less': () => [
    <p>
      Sending <b>now</b>
    </p>,
    <p>
      <b>soon</b>
    </p>,
    'soon',
  ],
  'one text more': () => [
    <p>
      <b>now</b>
    </p>,
    <p>
      Sent <b>soon</b>
    </p>,
    'Sent soon',
  ],
};

describe.each(Object.entries({ translate, split, wrap, remove, decorate }))(
  'after a script that could %s what is drawn',
  (_how, change) => {
    it.each(Object.entries(changes))('%s is drawn as without it', (_what, views) => {
      const [first, second, text] = views();
      render(first, root);
      change();
      render(second, root);
      expect(root.textContent).toBe(text);
    });
  },
);

it('the markup of the build is taken over without doubling a text', () => {
  root.innerHTML = '<p>Sending <b>now</b></p><em>Email</em>';
  const kept = root.querySelector('em');
  render(
    <>
      <p>
        Sending <b>now</b>
      </p>
      <em>Email</em>
    </>,
    root,
  );
  expect(root.textContent).toBe('Sending nowEmail');
  expect(root.querySelector('em')).toBe(kept);
});

import type { Sentences } from '../sentences/sentences.ts';

/**
 * Opens the list of saved answers, filters it, and inserts the chosen one at the caret. Nothing is sent, and the
 * browser's undo takes it back.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function offerSavedAnswers(texts: Sentences['script']): void {
  interface Answer {
    name: string;
    text: string;
  }
  const dialog = document.querySelector<HTMLDialogElement>('#saved-dialog');
  const answer = document.querySelector<HTMLTextAreaElement>('#answer');
  const button = document.querySelector<HTMLButtonElement>('#open-saved');
  if (!dialog || !answer || !button) return;
  const filter = dialog.querySelector<HTMLInputElement>('#saved-filter')!;
  const list = dialog.querySelector<HTMLUListElement>('#saved-list')!;
  const state = dialog.querySelector<HTMLOutputElement>('#saved-state')!;
  let answers: Answer[] = [];
  let found: Answer[] = [];
  let active = 0;
  let caret = { start: 0, end: 0 };
  let hadFocus = document.activeElement === answer;
  answer.addEventListener('focus', () => {
    hadFocus = true;
  });

  const choose = (chosen: Answer | undefined) => {
    if (!chosen) return;
    dialog.close();
    answer.focus();
    answer.setSelectionRange(caret.start, caret.end);
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else leaves the browser's undo whole
    if (document.execCommand('insertText', false, chosen.text)) return;
    answer.setRangeText(chosen.text, caret.start, caret.end, 'end');
    answer.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const mark = (index: number) => {
    active = Math.max(0, Math.min(index, found.length - 1));
    for (const [at, option] of [...list.children].entries())
      option.setAttribute('aria-selected', String(at === active));
    const option = list.children[active];
    option?.scrollIntoView({ block: 'nearest' });
    if (option) filter.setAttribute('aria-activedescendant', option.id);
    else filter.removeAttribute('aria-activedescendant');
  };
  const draw = () => {
    const word = filter.value.trim().toLowerCase();
    const hasWord = (text: string) => text.toLowerCase().includes(word);
    const named = answers.filter(({ name }) => hasWord(name));
    found = [...named, ...answers.filter((each) => !named.includes(each) && hasWord(each.text))];
    const options = found.map((each, index) => {
      const option = document.createElement('li');
      option.id = `saved-option-${index}`;
      option.setAttribute('role', 'option');
      const [name, text] = [document.createElement('strong'), document.createElement('span')];
      name.textContent = each.name;
      text.textContent = each.text.slice(0, 160);
      for (const part of [name, text]) part.dir = 'auto';
      option.append(name, text);
      option.addEventListener('click', () => choose(each));
      return option;
    });
    list.replaceChildren(...options);
    state.textContent = answers.length === 0 ? texts.savedNone : texts.savedFound(found.length);
    mark(0);
  };
  const open = async () => {
    // Before its first focus, browsers put the caret before a text that was kept.
    const end = answer.value.length;
    caret = hadFocus ? { start: answer.selectionStart, end: answer.selectionEnd } : { start: end, end };
    filter.value = '';
    answers = [];
    found = [];
    list.replaceChildren();
    state.textContent = texts.savedLoading;
    dialog.showModal();
    try {
      const response = await fetch(dialog.dataset['source']!, {
        redirect: 'manual',
        signal: AbortSignal.timeout(15_000),
      });
      if (!response.ok) throw new Error(`the desk answered ${response.status}`);
      answers = (await response.json()) as Answer[];
      draw();
    } catch {
      state.textContent = texts.savedFailed;
    }
  };

  list.setAttribute('role', 'listbox');
  button.hidden = false;
  button.setAttribute('aria-keyshortcuts', 's');
  button.addEventListener('click', () => void open());
  const plain = document.getElementById('saved-plain');
  if (plain) plain.hidden = true;
  answer.addEventListener('keydown', (event) => {
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== '/' || hasModifier || event.isComposing || answer.value !== '') return;
    event.preventDefault();
    void open();
  });
  filter.addEventListener('input', draw);
  filter.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) mark(active + step);
    else if (event.key !== 'Enter' || event.keyCode === 229) return;
    // 229: an input method has it. Enter must not close the list, which is a form too.
    event.preventDefault();
    if (step === undefined && !event.repeat) choose(found[active]);
  });
}

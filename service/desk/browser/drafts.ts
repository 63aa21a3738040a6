/**
 * Keeps what an agent writes on a ticket's page in this tab until it is sent: over reloads, other pages and an ended
 * session. A text goes with the id that its message will have, so a text is known as sent when the conversation has a
 * message of this id, and sending it again after a reload adds none.
 * The browser runs the text of this function (`../script.ts`), so it uses nothing from outside itself.
 */
export function keepDrafts(): void {
  const prefix = 'desk-draft:';
  const stored = (key: string) => {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? 'null') as { id: string; text: string } | null;
    } catch {
      return null;
    }
  };
  const store = (key: string, draft: { id: string; text: string } | null) => {
    try {
      if (draft === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(draft));
    } catch {
      // Storage that is full or denied: the text stays on the page, as without script.
    }
  };

  const form = document.querySelector<HTMLFormElement>('form[data-draft]');
  for (const text of form?.querySelectorAll<HTMLTextAreaElement>('textarea[data-id]') ?? []) {
    const id = form!.elements.namedItem(text.dataset['id']!) as HTMLInputElement;
    // SECURITY: the address of the draft names the agent, since two may use one tab after each other.
    const key = `${prefix}${form!.dataset['draft']}:${text.id}`;
    const draft = stored(key);
    if (draft !== null && document.getElementById(`message-${draft.id}`)) store(key, null);
    else if (draft !== null) {
      text.value = draft.text;
      id.value = draft.id;
    }
    text.addEventListener('input', () => store(key, { id: id.value, text: text.value }));
  }

  document.querySelector('form[action="/desk/sign-out"]')?.addEventListener('submit', () => {
    try {
      for (const key of Object.keys(sessionStorage))
        if (key.startsWith(prefix)) sessionStorage.removeItem(key);
    } catch {
      // Storage that is denied has nothing in it.
    }
  });
}

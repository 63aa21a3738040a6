/**
 * Keeps what an agent writes on a ticket's page in this tab until it is sent: over reloads, other pages and an ended
 * session. A text is stored with the id of its future message. When the conversation has a message with this id, the
 * text was sent. Sending it again after a reload adds no message. The browser runs the text of this function
 * (`../script.ts`), so it uses nothing from outside itself.
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
      // Storage is full or denied: the text stays on the page, as it does without script.
    }
  };

  const form = document.querySelector<HTMLFormElement>('form[data-draft]');
  for (const text of form?.querySelectorAll<HTMLTextAreaElement>('textarea[data-id]') ?? []) {
    const id = form!.elements.namedItem(text.dataset['id']!) as HTMLInputElement;
    // SECURITY: the address of the draft names the agent, since two agents may use one tab, one after the other.
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
      // Denied storage counts as empty.
    }
  });
}

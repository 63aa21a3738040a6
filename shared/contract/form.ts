/** Longest answer to a field of text, in UTF-16 units. */
export const maxAnswerLength = 200;

/** The operator's additions to the form of a new ticket, in one language. */
export interface SiteForm {
  /** Identifies the version of the operator's file: a short hash of it. */
  version: string;
  topicRequired?: boolean;
  topics: FormTopic[];
  fields: FormField[];
  consent?: { type: 'checkbox' | 'line'; text: string };
}

export interface FormTopic {
  id: string;
  label: string;
  /** Shown when this topic is chosen. */
  hint?: string;
  /** Ids of articles about it. */
  articles?: string[];
  /** Ids of the fields that are shown with this topic. */
  fields?: string[];
}

interface FieldBase {
  id: string;
  label: string;
  required?: boolean;
}

/** A field that a topic names is shown with that topic only. Any other field is always shown. */
export type FormField =
  | (FieldBase & { type: 'text'; pattern?: string; example?: string })
  | (FieldBase & { type: 'choice'; options: { id: string; label: string }[] })
  | (FieldBase & { type: 'checkbox' });

/** The answers of a customer. */
export interface FormAnswers {
  /** Version of the form that was on screen. */
  version: string;
  topic?: string | undefined;
  /** By id of the field: a text, the id of an option, or whether a box is ticked. */
  fields?: Record<string, string | boolean> | undefined;
  /** The consent was on screen and, where it has a box, the box was ticked. */
  consent?: boolean | undefined;
}

export interface Consent {
  /** SHA-256 of the sentence that was on screen, as hex digits. */
  text_sha256: string;
  /** ISO 8601 UTC. */
  given_at: string;
}

/** The key of a field's error in an error answer. */
export const fieldErrorName = (id: string) => `form.${id}` as const;

/** The fields that are shown with a topic. */
export function fieldsWith<Field extends { id: string }>(
  form: {
    topics: readonly { id: string; fields?: readonly string[] | undefined }[];
    fields: readonly Field[];
  },
  topic: string | undefined,
): Field[] {
  const named = new Set(form.topics.flatMap(({ fields = [] }) => fields));
  const chosen = new Set(form.topics.find(({ id }) => id === topic)?.fields);
  return form.fields.filter(({ id }) => chosen.has(id) || !named.has(id));
}

/** Splits a sentence into plain texts and links, which are written as `[text](address)`. */
export function splitLinks(sentence: string): (string | { text: string; address: string })[] {
  const parts = sentence.split(/\[([^[\]]+)\]\(([^()\s]+)\)/);
  // Each text is followed by the two groups of a link.
  return parts.flatMap((part, at): ReturnType<typeof splitLinks> => {
    if (at % 3 === 0) return part ? [part] : [];
    return at % 3 === 1 ? [{ text: part, address: parts[at + 1]! }] : [];
  });
}

/** Whether an address is allowed in a link. */
export const isWebAddress = (address: string) => /^https?:\/\//.test(address) && URL.canParse(address);

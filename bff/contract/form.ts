/** Longest answer to a field of text, in UTF-16 units. */
export const maxAnswerLength = 200;

/** What an operator adds to the form of a new ticket, in one language. */
export interface SiteForm {
  /** Says which file of the operator this is: a short hash of it. */
  version: string;
  topicRequired?: boolean;
  topics: FormTopic[];
  fields: FormField[];
  consent?: { type: 'checkbox' | 'line'; text: string };
}

export interface FormTopic {
  id: string;
  label: string;
  /** Said once this topic is chosen. */
  hint?: string;
  /** Ids of articles about it. */
  articles?: string[];
  /** Ids of the fields that are asked for with this topic. */
  fields?: string[];
}

interface FieldBase {
  id: string;
  label: string;
  required?: boolean;
}

/** A field that a topic names is asked for with that topic only, any other one always. */
export type FormField =
  | (FieldBase & { type: 'text'; pattern?: string; example?: string })
  | (FieldBase & { type: 'choice'; options: { id: string; label: string }[] })
  | (FieldBase & { type: 'checkbox' });

/** What a customer has answered. */
export interface FormAnswers {
  /** Of the form that was on screen. */
  version: string;
  topic?: string | undefined;
  /** By id of the field: a text, the id of an option, or whether a box is ticked. */
  fields?: Record<string, string | boolean> | undefined;
  /** The sentence of consent was on screen and, where it has a box, that was ticked. */
  consent?: boolean | undefined;
}

export interface Consent {
  /** SHA-256 of the sentence that was on screen, as hex digits. */
  text_sha256: string;
  /** ISO 8601 UTC. */
  given_at: string;
}

/** The name under which an error of a field is told. */
export const fieldErrorName = (id: string) => `form.${id}` as const;

/** The fields that are asked for with a topic. */
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

/** A sentence taken apart: plain texts, and links written as `[text](address)`. */
export function splitLinks(sentence: string): (string | { text: string; address: string })[] {
  const parts = sentence.split(/\[([^[\]]+)\]\(([^()\s]+)\)/);
  // Each text is followed by the two groups of a link.
  return parts.flatMap((part, at): ReturnType<typeof splitLinks> => {
    if (at % 3 === 0) return part ? [part] : [];
    return at % 3 === 1 ? [{ text: part, address: parts[at + 1]! }] : [];
  });
}

/** Whether a link may lead there. */
export const isWebAddress = (address: string) => /^https?:\/\//.test(address) && URL.canParse(address);

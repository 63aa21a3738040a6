/** The values of the form; an empty text means the widget's default. */
export interface Choices {
  color: string;
  position: 'left' | 'right';
  theme: 'auto' | 'light' | 'dark';
  locale: string;
  brand: string;
  greeting: string;
  label: string;
  /** The widget's sentences by their paths. */
  texts: Record<string, string>;
  subject: '' | 'ask';
  priority: boolean;
  sound: boolean;
  preview: boolean;
  titleBadge: boolean;
}

/** The widget's defaults. */
export const untouched: Choices = {
  color: '#2b59c3',
  position: 'right',
  theme: 'auto',
  locale: '',
  brand: '',
  greeting: '',
  label: '',
  texts: {},
  subject: '',
  priority: false,
  sound: false,
  preview: true,
  titleBadge: false,
};

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const withoutEmpty = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text));

/** An empty text becomes undefined: the widget's default applies again. */
type Changes = { [Name in keyof Choices]?: Choices[Name] | undefined };

/** Only what differs, as settings. */
export function difference(from: Choices, to: Choices): Changes {
  const names = (Object.keys(to) as (keyof Choices)[]).filter((name) => !isSame(from[name], to[name]));
  return Object.fromEntries(
    names.map((name) => [
      name,
      name === 'texts' ? withoutEmpty(to.texts) : to[name] === '' ? undefined : to[name],
    ]),
  );
}

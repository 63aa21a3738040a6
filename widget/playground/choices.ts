import type { Settings } from '../npm/deskside.d.ts';

/** The settings to try, and which of them the site owner has changed. A new setting is one line of `groups`. */

type Flag = { [Name in keyof Settings]-?: boolean extends Settings[Name] ? Name : never }[keyof Settings];
type Text = Exclude<keyof Settings, Flag | 'texts'> | `texts.${string}`;

/** One field of the form. */
export interface Choice {
  kind: 'text' | 'number' | 'color' | 'language' | 'flag' | 'options';
  /** A setting, or the path of a sentence: `texts.send`. */
  name: Flag | Text;
  label: string;
  hint?: string | undefined;
  /** Shown in an empty field: the widget's own text or number. */
  placeholder?: string;
  /** The names of the values. */
  options?: Record<string, string>;
  fallback: string | boolean;
}

const text = (name: Text, label: string, placeholder: string, hint?: string): Choice => ({
  kind: 'text',
  name,
  label,
  placeholder,
  hint,
  fallback: '',
});
const number = (name: Text, label: string, usual: number, hint?: string): Choice => ({
  kind: 'number',
  name,
  label,
  placeholder: `${usual}`,
  hint,
  fallback: '',
});
const color = (name: Text, label: string, fallback: string): Choice => ({
  kind: 'color',
  name,
  label,
  fallback,
});
const language = (name: Text, label: string): Choice => ({
  kind: 'language',
  name,
  label,
  fallback: '',
});
const flag = (name: Flag, label: string, fallback: boolean, hint?: string): Choice => ({
  kind: 'flag',
  name,
  label,
  hint,
  fallback,
});
/** The first option is the default. */
const options = <Name extends Exclude<Text, `texts.${string}`>>(
  name: Name,
  label: string,
  each: Partial<Record<(Settings[Name] & string) | '', string>>,
): Choice => ({
  kind: 'options',
  name,
  label,
  options: each as Record<string, string>,
  fallback: Object.keys(each)[0]!,
});

export const groups: Record<string, Choice[]> = {
  Brand: [
    text('brand', 'Brand name', 'Your name'),
    text('logo', 'Logo', 'https://www.example.com/logo.svg', 'On one of your sites, or a data: address'),
    color('color', 'Colour', '#0b6b5d'),
    options('theme', 'Theme', { auto: 'Automatic', light: 'Light', dark: 'Dark' }),
  ],
  Launcher: [
    text('launcherText', 'Words', 'None', 'Up to 40 characters'),
    options('position', 'Side', { right: 'Right', left: 'Left' }),
    text('launcherIcon', 'Picture', 'https://www.example.com/help.svg', 'Also a data: address'),
    text('offset', 'Distance from the edges', '20', 'In pixels: 20, or 12 80 from the side and the bottom'),
    text('offsetPhone', 'The same on phones', '20'),
    options('whenClosed', 'Outside your support hours', {
      show: 'As usual',
      hide: 'No launcher',
      articles: 'Articles only',
    }),
    text('label', 'Name of the launcher', 'Open support', 'Heard by screen readers'),
  ],
  Invite: [
    text(
      'invite',
      'Words beside the launcher',
      'Questions about delivery?',
      'Once a visit; close the panel to see it',
    ),
    number('inviteAfter', 'Seconds on the page', 30),
    text('invitePage', 'Pages', '/shop* !/shop/cart', 'Paths; * stands for any characters, ! leaves out'),
  ],
  Behaviour: [
    options('subject', 'Subject', { '': 'From the message', ask: 'Ask for it' }),
    options('enter', 'Enter in a reply', { send: 'Sends it', newline: 'New line' }),
    options('files', 'Attaching files', { on: 'Allowed', off: 'Not allowed' }),
    flag('priority', 'Ask for a priority', false),
    flag('preview', 'Preview of a new answer', true, 'A small bubble while the panel is closed'),
    flag('sound', 'Tone for a new answer', false),
    flag('titleBadge', 'Unread number in the page’s title', false),
    flag('stayOpen', 'Stay open on the next page', true, 'Not on phones'),
    flag('dataLayer', 'Events for Google Tag Manager', false),
  ],
  Texts: [
    language('locale', 'Language'),
    text('greeting', 'Greeting', 'How can we help?'),
    text('texts.fields.description', 'Name of the message field', 'Message'),
    text('texts.send', 'Send button', 'Send'),
    text('texts.newTicket', 'New ticket button', 'New ticket'),
  ],
};

/** The values of the form by the name of their choice. An empty text means the widget's default. */
export type Choices = Readonly<Record<string, string | boolean>>;

const all = Object.values(groups).flat();

/** The widget's defaults. */
export const untouched: Choices = Object.fromEntries(all.map(({ name, fallback }) => [name, fallback]));

const textsPath = 'texts.';

/** As a setting. Undefined: the widget's default applies. */
function settingOf(
  { kind, name, placeholder }: Choice,
  choices: Choices,
): string | boolean | number | undefined {
  const value = choices[name]!;
  if (kind !== 'number') return value === '' ? undefined : value;
  const digits = String(value).trim();
  return /^\d+$/.test(digits) && digits !== placeholder ? Number(digits) : undefined;
}

/** The settings that differ. One that is undefined goes back to its default. */
export function difference(from: Choices, to: Choices): Record<string, unknown> {
  const isText = ({ name }: Choice) => name.startsWith(textsPath);
  const changed = all.filter(({ name }) => from[name] !== to[name]);
  const changes: Record<string, unknown> = Object.fromEntries(
    changed.filter((choice) => !isText(choice)).map((choice) => [choice.name, settingOf(choice, to)]),
  );
  // A text of the widget is changed with all the others: `texts` is one setting.
  if (changed.some(isText))
    changes['texts'] = Object.fromEntries(
      all
        .filter((choice) => isText(choice) && to[choice.name] !== '')
        .map(({ name }) => [name.slice(textsPath.length), to[name]]),
    );
  return changes;
}

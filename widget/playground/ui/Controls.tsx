import type { Choices } from '../choices.ts';
import { ColorField, Options, SelectField } from './choosing.tsx';
import { Flag, TextField } from './fields.tsx';

interface ControlsProps {
  choices: Choices;
  languages: string[];
  onChange: (change: Partial<Choices>) => void;
}

/** A language by its own name and in English, as in `Deutsch · German`. */
function languageName(tag: string): string {
  const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag);
  const english = new Intl.DisplayNames('en', { type: 'language' }).of(tag);
  return own === english ? own! : `${own} · ${english}`;
}

function Look({ choices, onChange }: Omit<ControlsProps, 'languages'>) {
  return (
    <fieldset>
      <legend>Look</legend>
      <ColorField value={choices.color} onChange={(color) => onChange({ color })} />
      <Options
        label="Side"
        value={choices.position}
        options={{ left: 'Left', right: 'Right' }}
        onChange={(position) => onChange({ position })}
      />
      <Options
        label="Theme"
        value={choices.theme}
        options={{ auto: 'Automatic', light: 'Light', dark: 'Dark' }}
        onChange={(theme) => onChange({ theme })}
      />
    </fieldset>
  );
}

function Words({ choices, languages, onChange }: ControlsProps) {
  const setText = (path: string) => (text: string) => onChange({ texts: { ...choices.texts, [path]: text } });
  return (
    <fieldset>
      <legend>Words</legend>
      <SelectField
        label="Language"
        value={choices.locale}
        options={[['', 'Automatic'], ...languages.map((tag) => [tag, languageName(tag)] as const)]}
        onChange={(locale) => onChange({ locale })}
      />
      <TextField
        label="Brand"
        placeholder="Your name"
        value={choices.brand}
        onChange={(brand) => onChange({ brand })}
      />
      <TextField
        label="Greeting"
        placeholder="How can we help?"
        value={choices.greeting}
        onChange={(greeting) => onChange({ greeting })}
      />
      <TextField
        label="Name of the launcher"
        hint="Heard by screen readers"
        placeholder="Open support"
        value={choices.label}
        onChange={(label) => onChange({ label })}
      />
      <TextField
        label="Send button"
        placeholder="Send"
        value={choices.texts['send'] ?? ''}
        onChange={setText('send')}
      />
      <TextField
        label="Name of the message field"
        placeholder="Message"
        value={choices.texts['fields.description'] ?? ''}
        onChange={setText('fields.description')}
      />
    </fieldset>
  );
}

function Behaviour({ choices, onChange }: Omit<ControlsProps, 'languages'>) {
  return (
    <fieldset>
      <legend>Behaviour</legend>
      <Flag
        label="Ask for a subject"
        value={choices.subject === 'ask'}
        onChange={(isAsked) => onChange({ subject: isAsked ? 'ask' : '' })}
      />
      <Flag
        label="Ask for a priority"
        value={choices.priority}
        onChange={(priority) => onChange({ priority })}
      />
      <Flag
        label="Preview of a new answer"
        hint="A small bubble while the panel is closed"
        value={choices.preview}
        onChange={(preview) => onChange({ preview })}
      />
      <Flag label="Tone for a new answer" value={choices.sound} onChange={(sound) => onChange({ sound })} />
      <Flag
        label="Unread number in the page’s title"
        value={choices.titleBadge}
        onChange={(titleBadge) => onChange({ titleBadge })}
      />
    </fieldset>
  );
}

/** The form with the settings to try. */
export function Controls(props: ControlsProps) {
  return (
    <form class="controls" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <Look {...props} />
      <Words {...props} />
      <Behaviour {...props} />
    </form>
  );
}

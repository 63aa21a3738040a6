import { type Choice, type Choices, groups } from '../choices.ts';
import { ColorField, Options, SelectField } from './choosing.tsx';
import { Flag, TextField } from './fields.tsx';

interface ControlsProps {
  choices: Choices;
  languages: string[];
  onChange: (change: Choices) => void;
}

/** A language by its own name and in English, as in `Deutsch · German`. */
function languageName(tag: string): string {
  const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag);
  const english = new Intl.DisplayNames('en', { type: 'language' }).of(tag);
  return own === english ? own! : `${own} · ${english}`;
}

function Field({
  choice: { kind, name, label, hint, placeholder = '', options = {} },
  choices,
  languages,
  onChange,
}: ControlsProps & { choice: Choice }) {
  const change = (value: string | boolean) => onChange({ [name]: value });
  const value = choices[name]!;
  if (typeof value === 'boolean') return <Flag {...{ label, hint, value }} onChange={change} />;
  switch (kind) {
    case 'color':
      return <ColorField {...{ label, value }} onChange={change} />;
    case 'options':
      return <Options {...{ label, options, value }} onChange={change} />;
    case 'language': {
      const named = languages.map((tag) => [tag, languageName(tag)] as const);
      return <SelectField {...{ label, value }} options={[['', 'Automatic'], ...named]} onChange={change} />;
    }
    default:
      return (
        <TextField {...{ label, hint, placeholder, value }} isNumber={kind === 'number'} onChange={change} />
      );
  }
}

/** The form with the settings to try. */
export function Controls(props: ControlsProps) {
  return (
    <form class="controls" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      {Object.entries(groups).map(([name, group]) => (
        <fieldset key={name}>
          <legend>{name}</legend>
          {group.map((choice) => (
            <Field key={choice.name} choice={choice} {...props} />
          ))}
        </fieldset>
      ))}
    </form>
  );
}

import { useId } from 'preact/hooks';
import type { FieldProps } from './fields.tsx';

export function SelectField({
  label,
  value,
  onChange,
  options,
}: FieldProps<string> & { options: readonly (readonly [value: string, name: string])[] }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A choice of one of a few options, all visible. */
export function Options<Value extends string>({
  label,
  value,
  onChange,
  options,
}: FieldProps<Value> & { options: Record<Value, string> }) {
  const name = useId();
  return (
    <div class="field" role="radiogroup" aria-labelledby={name}>
      <span class="name" id={name}>
        {label}
      </span>
      <div class="options">
        {(Object.entries(options) as [Value, string][]).map(([option, title]) => (
          <label key={option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
            <span>{title}</span>
          </label>
        ))}
      </div>
    </div>
  );
}

const swatches = {
  Blue: '#2b59c3',
  Green: '#0b6b5d',
  Violet: '#6d3fc4',
  Red: '#b3261e',
  Amber: '#f2a900',
  Black: '#16171b',
};

export function ColorField({ value, onChange }: Omit<FieldProps<string>, 'label'>) {
  return (
    <fieldset class="field">
      <legend>Colour</legend>
      <div class="colors">
        <input
          aria-label="Any colour"
          type="color"
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
        {Object.entries(swatches).map(([name, color]) => (
          <button
            key={color}
            type="button"
            aria-label={name}
            aria-pressed={color === value}
            style={{ background: color }}
            onClick={() => onChange(color)}
          />
        ))}
      </div>
    </fieldset>
  );
}

import { useId, useState } from 'preact/hooks';
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

/** The last four are hard: text on them is easily unreadable, or they are not seen on a white or black page. */
const swatches = {
  Green: '#0b6b5d',
  Blue: '#2b59c3',
  Red: '#b3261e',
  Violet: '#6d3fc4',
  Amber: '#f2a900',
  Lime: '#39ff14',
  White: '#ffffff',
  Black: '#16171b',
};

export function ColorField({ label, value, onChange }: FieldProps<string>) {
  const id = useId();
  /** What was typed, while it is no colour yet. */
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string) => {
    const [, digits] = /^#?([\da-f]{6})$/i.exec(text.trim()) ?? [];
    setTyped(digits ? null : text);
    if (digits) onChange(`#${digits.toLowerCase()}`);
  };
  const choose = (color: string) => {
    setTyped(null);
    onChange(color);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="colors">
        <input
          aria-label="Any colour"
          type="color"
          value={value}
          onInput={({ currentTarget }) => choose(currentTarget.value)}
        />
        <input
          id={id}
          value={typed ?? value}
          maxLength={7}
          spellcheck={false}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onBlur={() => setTyped(null)}
        />
      </div>
      <div class="swatches">
        {Object.entries(swatches).map(([name, color]) => (
          <button
            key={color}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={color === value}
            style={{ background: color }}
            onClick={() => choose(color)}
          />
        ))}
      </div>
    </div>
  );
}

import { useId } from 'preact/hooks';

/** A value of the settings, its name, and the handler for a change. */
export interface FieldProps<Value> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
}

interface Hinted {
  hint?: string | undefined;
}

export function TextField({
  label,
  value,
  onChange,
  placeholder,
  hint,
  isNumber = false,
}: FieldProps<string> & Hinted & { placeholder: string; isNumber?: boolean }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        placeholder={placeholder}
        maxLength={2000}
        inputMode={isNumber ? 'numeric' : 'text'}
        aria-describedby={hint && `${id}-hint`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
}

export function Flag({ label, value, onChange, hint }: FieldProps<boolean> & Hinted) {
  const id = useId();
  return (
    <div class="flag">
      <input
        id={id}
        type="checkbox"
        checked={value}
        aria-describedby={hint && `${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
}

function Hint({ id, text }: { id: string; text: string | undefined }) {
  return (
    text && (
      <p class="hint" id={id}>
        {text}
      </p>
    )
  );
}

import { isWebAddress, splitLinks } from '../../../shared/contract/form.ts';
import type { FormProps } from './form-props.ts';

/** A sentence with links as nodes. SECURITY: an address with another scheme could run a script. */
function Linked({ sentence }: { sentence: string }) {
  return (
    <span dir="auto">
      {splitLinks(sentence).map((part) =>
        typeof part === 'string' || !isWebAddress(part.address) ? (
          typeof part === 'string' ? (
            part
          ) : (
            part.text
          )
        ) : (
          <a key={part.address} href={part.address} target="_blank" rel="noopener noreferrer">
            {part.text}
          </a>
        ),
      )}
    </span>
  );
}

/** What the customer agrees to: by a box, or by sending. */
export function Consent({ app, form: { consent }, sentences, model }: FormProps) {
  if (!consent) return null;
  const sentence = <Linked sentence={consent.text} />;
  if (consent.type === 'line') return <p class="consent">{sentence}</p>;
  const isWrong = model.errors.value['consent'] !== undefined;
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          id="consent"
          aria-required
          aria-invalid={isWrong}
          aria-describedby="consent-note"
          checked={model.answers.value.consent}
          onChange={(event) => {
            app.view.keepForm();
            model.agree(event.currentTarget.checked);
          }}
        />
        {sentence}
      </label>
      {isWrong && (
        <p class="error" id="consent-note">
          {sentences.tick}
        </p>
      )}
    </div>
  );
}

import type { FormProps } from './form-props.ts';

/** What the ticket is about: one of the operator's topics. */
export function Topics({ app: { s, view }, form, sentences, model }: FormProps) {
  const { topicRequired = false, topics } = form;
  if (topics.length === 0) return null;
  const chosen = model.topic.value;
  const isWrong = model.errors.value['topic'] !== undefined;
  return (
    <fieldset
      class="topics"
      role="radiogroup"
      aria-labelledby="topics"
      aria-required={topicRequired}
      aria-invalid={isWrong}
      aria-describedby="topic-note topic-hint"
    >
      <legend>
        <span id="topics">{sentences.topic}</span>
        {!topicRequired && <span id="topic-note">{s.optional}</span>}
      </legend>
      <div class="topic-list">
        {topics.map(({ id, label }, at) => (
          <label key={id} class="topic">
            <input
              type="radio"
              name="topic"
              // The summary of errors links to it.
              id={at === 0 ? 'topic' : undefined}
              value={id}
              checked={id === chosen?.id}
              onChange={() => {
                view.keepForm();
                model.choose(id);
              }}
            />
            <span dir="auto">{label}</span>
          </label>
        ))}
      </div>
      {isWrong && (
        <p class="error" id="topic-note">
          {sentences.choose}
        </p>
      )}
      <p class="topic-hint" id="topic-hint" aria-live="polite" dir="auto">
        {chosen?.hint}
      </p>
    </fieldset>
  );
}

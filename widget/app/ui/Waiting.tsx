import type { SharedProps } from './shared.ts';

interface WaitingProps extends SharedProps {
  /** What could not be loaded; null while it may still come. */
  failed: string | null;
  onRetry: (() => void) | null;
}

/** In the place of what is not here: its outline after a moment, or that it failed and what can be done. */
export function Waiting({ app: { s }, failed, onRetry }: WaitingProps) {
  if (failed === null)
    return (
      <output class="skeleton">
        <span class="unseen">{s.loading}</span>
        <i />
        <i />
        <i />
      </output>
    );
  return (
    <div class="remedy" role="alert">
      <p>{failed}</p>
      {onRetry && (
        <button type="button" class="button quiet" onClick={onRetry}>
          {s.tryAgain}
        </button>
      )}
    </div>
  );
}

import type { ApiFailure } from '../api/result.ts';
import type { SharedProps } from './shared.ts';

interface WaitingProps extends SharedProps {
  failure: Pick<ApiFailure, 'code'> | null;
  /** Asks again; by default for what the BFF knows. */
  retry?: () => Promise<unknown>;
}

/** In the place of what is not here: its outline after a moment, or why it failed and what can be done. */
export function Waiting({ app: { s, refresh }, failure, retry = refresh }: WaitingProps) {
  const isGone = failure?.code === 'not_found';
  if (!failure)
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
      <p>{isGone ? s.errors.not_found : s.loadFailed}</p>
      {!isGone && (
        <button type="button" class="button quiet" onClick={() => void retry()}>
          {s.tryAgain}
        </button>
      )}
    </div>
  );
}

import type { ApiFailure } from '../api/result.ts';
import type { AppProps } from '../app.ts';

interface WaitingProps extends AppProps {
  failure: Pick<ApiFailure, 'code'> | null;
  /** Asks again. */
  retry: () => Promise<unknown>;
}

/** Placeholder for data that is not loaded: an outline after a moment, or why loading failed with a button to retry. */
export function Waiting({ app: { s }, failure, retry }: WaitingProps) {
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

import { Claim } from './Claim.tsx';
import { Moved } from './Moved.tsx';
import { Transfer } from './Transfer.tsx';
import type { KnownProps } from '../shared.ts';

/** Notices about tickets outside the list: moved away, from before the sign-in, or opened elsewhere. */
export function Offers({ app }: KnownProps) {
  return (
    <>
      <Moved app={app} />
      <Transfer app={app} />
      <Claim app={app} />
    </>
  );
}

/** In place of a conversation that is not here: why that may be so, and what can be done. */
export function Elsewhere({ app }: KnownProps) {
  return (
    <>
      <Transfer app={app} />
      <Moved app={app} />
    </>
  );
}

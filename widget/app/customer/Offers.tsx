import { Claim } from './Claim.tsx';
import { Moved } from './Moved.tsx';
import { Transfer } from './Transfer.tsx';
import type { FullProps } from '../shared.ts';

/** Notices about tickets outside the list: moved away, from before the sign-in, or opened elsewhere. */
export function Offers({ app }: FullProps) {
  return (
    <>
      <Moved app={app} />
      <Transfer app={app} />
      <Claim app={app} />
    </>
  );
}

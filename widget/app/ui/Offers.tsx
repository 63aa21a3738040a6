import { Claim } from './Claim.tsx';
import { Moved } from './Moved.tsx';
import { Transfer } from './Transfer.tsx';
import type { SharedProps } from './shared.ts';

/** Tickets that the customer has lost, or may add to theirs: from here before the sign-in, and from elsewhere. */
export function Offers({ app }: SharedProps) {
  return (
    <>
      <Moved app={app} />
      <Transfer app={app} />
      <Claim app={app} />
    </>
  );
}

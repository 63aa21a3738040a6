import { Claim } from './Claim.tsx';
import { Transfer } from './Transfer.tsx';
import type { SharedProps } from './shared.ts';

/** Tickets that the customer may add to theirs: from here before the sign-in, and from elsewhere. */
export function Offers({ app }: SharedProps) {
  return (
    <>
      <Transfer app={app} />
      <Claim app={app} />
    </>
  );
}

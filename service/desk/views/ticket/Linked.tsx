/** @jsxImportSource hono/jsx */
import { splitLinks } from '../../../../shared/text/links.ts';

/** A text whose addresses are links. They send no referrer to the other site, and open in another tab. */
export function Linked({ text }: { text: string }) {
  return (
    <>
      {splitLinks(text).map((piece) =>
        piece.href === undefined ? (
          piece.text
        ) : (
          <a href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
            {piece.text}
          </a>
        ),
      )}
    </>
  );
}

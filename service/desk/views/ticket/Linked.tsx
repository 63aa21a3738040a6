/** @jsxImportSource hono/jsx */
import { splitLinks } from './links.ts';

/** A text whose addresses are links. They tell the other site nothing and open beside the desk. */
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

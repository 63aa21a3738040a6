import { h, type VNode } from 'preact';
import { drawMessage } from '../../../../shared/text/draw.ts';
import { readMessage } from '../../../../shared/text/message.ts';
import type { AppProps } from '../../app.ts';

/** Marks and columns are where the text begins, which may run otherwise than the panel. */
const directed = new Set(['ul', 'ol', 'blockquote', 'table']);

interface RichTextProps extends AppProps {
  text: string;
  author: 'agent' | 'customer';
}

/** A message with its links and formatting. SECURITY: never as HTML. */
export function RichText({ app: { s }, text, author }: RichTextProps) {
  const nodes = readMessage(text, author);
  return (
    <>
      {drawMessage<VNode>(nodes, {
        create: (tag, attributes, children) =>
          h(tag, directed.has(tag) ? { dir: 'auto', ...attributes } : attributes, ...children),
        tableName: s.conversation,
        quotedLabel: s.quoted,
      })}
    </>
  );
}

import { h, type VNode } from 'preact';
import { drawMessage } from '../../../../shared/text/draw.ts';
import { readMessage } from '../../../../shared/text/message.ts';
import type { AppProps } from '../../app.ts';

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
        // The marks of a list and the columns of a table begin where their text does.
        create: (tag, attributes, children) =>
          h(tag, /^.l$|table/.test(tag) ? { ...attributes, dir: 'auto' } : attributes, ...children),
        tableName: s.conversation,
        quotedLabel: s.quoted,
      })}
    </>
  );
}

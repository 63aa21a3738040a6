import { h, type VNode } from 'preact';
import { drawMessage } from '../../../../shared/text/draw.ts';
import { readMessage } from '../../../../shared/text/message.ts';
import type { RichTextProps } from '../../shared.ts';

/** A message with its links and formatting. SECURITY: never as HTML. */
export function RichText({ text, author, s }: RichTextProps) {
  const nodes = readMessage(text, author);
  return (
    <>
      {drawMessage<VNode>(nodes, {
        create: (tag, attributes, children) => h(tag, attributes, ...children),
        tableName: s.conversation,
        quotedLabel: s.quoted,
      })}
    </>
  );
}

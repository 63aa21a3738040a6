/** @jsxImportSource hono/jsx */
import { createElement, type JSXNode } from 'hono/jsx';
import { drawMessage } from '../../../../shared/text/draw.ts';
import { readMessage } from '../../../../shared/text/message.ts';
import { sentences } from '../../sentences/sentences.ts';

interface MessageTextProps {
  text: string;
  author: 'agent' | 'customer';
}

/** A text as the customer sees it in the widget. */
export function MessageText({ text, author }: MessageTextProps) {
  const { conversation: tableName, quoted: quotedLabel } = sentences.ticket;
  const create = (tag: string, attributes: Record<string, string | number>, children: (JSXNode | string)[]) =>
    createElement(tag, attributes, ...children);
  return <>{drawMessage<JSXNode>(readMessage(text, author), { create, tableName, quotedLabel })}</>;
}

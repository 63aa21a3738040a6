import type { ComponentChild } from 'preact';
import type { RichTextProps } from '../../shared.ts';
import { splitBlocks } from './blocks.ts';
import { splitEmphasis } from './emphasis.ts';
import { splitLinks } from '../../../../shared/text/links.ts';
import { splitCode } from './code.ts';

/** A text with its links and code and, where `isFormatted`, its emphasis and lists. SECURITY: never as HTML. */
export function RichText({ text, isFormatted }: RichTextProps) {
  return (
    <>
      {splitCode(text).map(({ text: part, code }) => {
        if (code) return <code class={code}>{part}</code>;
        return isFormatted ? withBlocks(part) : withLinks(part);
      })}
    </>
  );
}

const withBlocks = (text: string) =>
  splitBlocks(text).map((block) => {
    if (!block.items) return withEmphasis(block.text);
    const { items, numbers } = block;
    const List = numbers ? 'ol' : 'ul';
    return (
      <List>
        {items.map((item, at) => (
          <li value={numbers?.[at]}>{withEmphasis(item)}</li>
        ))}
      </List>
    );
  });

const withEmphasis = (text: string): ComponentChild[] =>
  splitEmphasis(text).map(({ text: part, level }) => {
    if (level === 'strong') return <strong>{withEmphasis(part)}</strong>;
    return level === 'em' ? <em>{withLinks(part)}</em> : withLinks(part);
  });

const withLinks = (text: string) =>
  splitLinks(text).map(({ text: part, href }) =>
    href === undefined ? (
      part
    ) : (
      <a href={href} title={href} dir="ltr" target="_blank" rel="noopener noreferrer nofollow">
        {part}
      </a>
    ),
  );

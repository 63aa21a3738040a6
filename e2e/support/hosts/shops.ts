import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { fill, type Values } from '../fill.ts';
import { clobbered } from './clobbered.ts';

/** A host page with habits of its own. */
export interface Shop {
  /** Content security policy of the page. */
  policy?: string;
  /** More headers of the page. */
  headers?: Record<string, string>;
  lang?: string;
  head?: string;
  body?: string;
  /** Attributes of the script tag, or no tag at all. */
  tag?: string | null;
  /**
   * As on most sites: the form has two fields, and the panel stays open over page changes. The others ask for a subject,
   * by which tests find a ticket, and begin each page with the launcher.
   */
  isUsual?: boolean;
}

const { values, pages } = parse(readFileSync('e2e/support/hosts/shops.yaml', 'utf8')) as {
  values: Values;
  pages: Record<string, Shop>;
};

/** By path. */
export const shops: Partial<Record<string, Shop>> = {
  ...pages,
  ...Object.fromEntries(
    Object.entries(clobbered).map(([path, body]) => [
      path,
      { policy: '@@strict@@', body, tag: 'data-title-badge' },
    ]),
  ),
};

const usual = 'data-subject="ask" data-stay-open="false" ';

export const policyOf = (bff: string, { policy }: Shop) => policy && fill(policy, { ...values, bff });

export const shopPage = (
  bff: string,
  { lang = 'en', head = '', body = '', tag = '', isUsual = false }: Shop,
) =>
  fill(
    `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>A shop</title><link rel="icon" href="data:,">${head}</head>
<body>
<main>
<h1>A shop</h1>
<p><a href="/second">Second page</a></p>
</main>
${body}
${tag === null ? '' : `<script async nonce="@@nonce@@" src="@@bff@@/widget.js" data-brand="Acme" data-color="#0b6b5d" ${isUsual ? '' : usual}${tag}></script>`}
</body>
</html>`,
    { ...values, bff },
  );

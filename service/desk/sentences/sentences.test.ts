import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Names of attributes and properties whose value is read. */
const shownNames = /^(title|label|aria-label|placeholder|alt|hint|fault|message|text)$/;
const sentence = /^\P{L}*\p{Lu}[\p{L}’]* [\p{L}\d]/u;
/** The start of every key, and of every address. */
const data = new Set(['dsk_…', 'https://']);

/** An operand of these can be the value of the whole, or a part of it. */
const passedOn = new Set<ts.SyntaxKind>([
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.PlusToken,
]);

/** The outermost expression whose value `node` is, or is a part of. */
function wholeOf(node: ts.Node): ts.Node {
  const { parent } = node;
  const isPassedOn =
    ts.isTemplateSpan(parent) ||
    ts.isTemplateExpression(parent) ||
    ts.isParenthesizedExpression(parent) ||
    (ts.isConditionalExpression(parent) && parent.condition !== node) ||
    (ts.isBinaryExpression(parent) && passedOn.has(parent.operatorToken.kind));
  return isPassedOn ? wholeOf(parent) : node;
}

function isShown(literal: ts.LiteralLikeNode): boolean {
  if (ts.isJsxText(literal) || sentence.test(literal.text)) return true;
  const { parent } = wholeOf(literal);
  const place = ts.isJsxExpression(parent) ? parent.parent : parent;
  if (ts.isJsxElement(place) || ts.isJsxFragment(place)) return true;
  return (
    (ts.isJsxAttribute(place) || ts.isPropertyAssignment(place)) && shownNames.test(place.name.getText())
  );
}

/** The texts that a source file shows to agents without the catalogue. */
function textsIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isLiteral = ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
    if (isLiteral && !ts.isRegularExpressionLiteral(node) && /\p{L}/u.test(node.text) && isShown(node))
      found.push(node.text.trim());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX));
  return found.filter((text) => !data.has(text));
}

it.each([
  ['<p>All done</p>', ['All done']],
  ["<p>{count === 1 ? 'one' : `${count} tickets`}</p>", ['one', 'tickets']],
  ['<input placeholder="Company" type="text" />', ['Company']],
  ["<Empty title={isFirst ? 'None' : other} />", ['None']],
  ["announce(text, { label: 'Show', kind: 'button' })", ['Show']],
  ["throw new Problem(404, 'There is no such page.')", ['There is no such page.']],
  ["<p class={isOff ? 'off' : 'on'}>{kind === 'note' ? mark : texts.name}</p>", []],
])('a text that is shown is told from names and codes: %s', (source, texts) => {
  expect(textsIn(source)).toStrictEqual(texts);
});

it('pages, routes and scripts of the desk show only texts from the catalogue', () => {
  const desk = join(import.meta.dirname, '..');
  const files = readdirSync(desk, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(?<!\.test)\.tsx?$/.test(file) && !/^(sentences|styles)\//.test(file),
  );
  expect(files).toContain('views/ticket/TicketPage.tsx');
  const found = files.flatMap((file) =>
    textsIn(readFileSync(join(desk, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toStrictEqual([]);
});

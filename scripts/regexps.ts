import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface FoundRegExp {
  source: string;
  flags: string;
  /** `path:line` of each place. */
  places: string[];
}

const isSource = (name: string) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name);

/** Paths of the sources in a folder, without tests. */
export function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => isSource(name) && !/(^|\/)testing\//.test(name))
    .map((name) => join(folder, name));
}

/** Every literal regular expression in the sources of these folders, each once; `made`: places of `RegExp(…)`. */
export function findRegExps(folders: readonly string[]): { literals: FoundRegExp[]; made: string[] } {
  const literals = new Map<string, FoundRegExp>();
  const made: string[] = [];
  for (const path of folders.flatMap(sourcesIn)) {
    const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, kind);
    const placeOf = (node: ts.Node) =>
      `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        const found = literals.get(node.text) ?? {
          source: node.text.slice(1, end),
          flags: node.text.slice(end + 1),
          places: [],
        };
        found.places.push(placeOf(node));
        literals.set(node.text, found);
      }
      const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
      if (isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp')
        made.push(placeOf(node));
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { literals: [...literals.values()], made };
}

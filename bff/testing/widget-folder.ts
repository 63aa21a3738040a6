import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.once('exit', () => made.forEach((dir) => rmSync(dir, { recursive: true })));

/**
 * The smallest folder that is accepted as a built widget. `script`: the name and content of the script that its
 * documents import.
 */
export function makeWidgetFolder(script = { name: 'account-1a2b3c4d.js', code: 'account()' }): string {
  const dir = mkdtempSync(join(tmpdir(), 'deskside-widget-'));
  made.push(dir);
  const csp = { script: "'sha256-script'", style: "'sha256-style'" };
  writeFileSync(
    join(dir, 'manifest.json'),
    JSON.stringify({
      version: '1.2.3',
      languages: ['en', 'de'],
      csp,
      playground: { playground: csp, sample: { ...csp, script: "'self'" } },
    }),
  );
  for (const name of ['playground', 'playground-sample', 'headless'])
    writeFileSync(join(dir, `${name}.html`), name);
  for (const tag of ['en', 'de']) writeFileSync(join(dir, `frame.${tag}.html`), `<html lang="${tag}">`);
  mkdirSync(join(dir, 'assets'));
  writeFileSync(join(dir, 'assets', script.name), script.code);
  writeFileSync(join(dir, 'assets', `${script.name}.br`), `${script.code} in brotli`);
  writeFileSync(join(dir, 'widget.js'), 'loader()');
  writeFileSync(join(dir, 'pinned.js'), 'pinned()');
  writeFileSync(join(dir, 'widget.js.br'), 'brotli');
  writeFileSync(join(dir, 'widget.js.gz'), 'gzip');
  return dir;
}

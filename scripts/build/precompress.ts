import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Writes a `.br` and a `.gz` beside every script and document of a folder. */
export async function precompress(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!/\.(js|html)$/.test(name)) continue;
    const file = join(dir, name);
    const data = await readFile(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: data.length };
    await writeFile(`${file}.br`, brotliCompressSync(data, { params }));
    await writeFile(`${file}.gz`, gzipSync(data, { level: 9 }));
  }
}

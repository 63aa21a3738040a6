import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startStack } from '../support/stack.ts';

it('the files that the container image takes are enough for a browser’s first requests', async () => {
  const image = await mkdtemp(join(tmpdir(), 'deskside-image-'));
  const dockerfile = await readFile('deploy/Dockerfile', 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) (\S+)$/gm)];
  expect(copied.length).toBeGreaterThan(3);
  for (const [, from, to] of copied)
    await cp(from!, to === './' ? join(image, from!) : join(image, to!), { recursive: true });
  const stack = await startStack();
  try {
    await stack.bff.stop();
    await stack.restartBff(join(image, 'dist/bff/main.js'));
    const answers = await Promise.all(['/widget.js', '/frame'].map((path) => fetch(stack.bffUrl + path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  } finally {
    await stack.stop();
    await rm(image, { recursive: true });
  }
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { installPeers } from './fetch-peer.ts';

/** The error reporting that the feedback form comes with, as its manual has it for a page that is bundled. */
const source = (dsn: string) => `
import { feedbackIntegration, init } from '@sentry/browser';
init({ dsn: '${dsn}', integrations: [feedbackIntegration({ colorScheme: 'system', showBranding: false })] });
`;

/** One minified script. @throws when the package cannot be fetched */
export async function bundleSentry(dsn: string): Promise<Buffer> {
  const peer = await installPeers('@sentry/browser');
  const root = await mkdtemp(join(peer, 'entry-'));
  try {
    await writeFile(join(root, 'main.js'), source(dsn));
    const built = await build({
      root,
      configFile: false,
      logLevel: 'warn',
      define: { __SENTRY_DEBUG__: 'false', __SENTRY_TRACING__: 'false' },
      build: {
        write: false,
        modulePreload: false,
        rolldownOptions: { input: join(root, 'main.js'), output: { format: 'iife', codeSplitting: false } },
      },
    });
    if (Array.isArray(built) || !('output' in built)) throw new Error('expected one output');
    return Buffer.from(built.output[0].code);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

import { rename, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { signInAgent } from '../support/agent.ts';
import { startStack } from '../support/stack.ts';
import { loadEnv, startLoad, textsAtService } from './load.ts';

it('an API key can be replaced in its file and revoked under load: each text is answered 201, and exists once', async () => {
  const stack = await startStack(loadEnv);
  const load = await startLoad(stack);
  try {
    const agent = await signInAgent(stack);
    let key = stack.workspace.api_key;
    for (const label of ['second', 'third', 'fourth']) {
      await load.more(20);
      const next = await agent.createKey(label);
      await writeFile(`${stack.keyFile}.new`, next, { mode: 0o600 });
      await rename(`${stack.keyFile}.new`, stack.keyFile);
      await agent.revokeKey(key);
      key = next;
    }
    await load.more(20);
    await load.stop();
    expect(load.sent.filter(({ statuses }) => statuses.join() !== '201')).toEqual([]);
    const there = await textsAtService({ serviceUrl: stack.serviceUrl, apiKey: key });
    expect(there.toSorted()).toEqual(load.sent.map(({ text }) => text).toSorted());
  } finally {
    await load.stop();
    await load.close();
    await stack.stop();
  }
});

import { expect, it } from 'vitest';
import { startStack } from '../support/stack.ts';

it('with HOST=0.0.0.0 browsers are served at every address, and operators at the loopback address alone', async () => {
  const stack = await startStack({ HOST: '0.0.0.0' });
  const at = (url: string) => {
    const address = new URL(url);
    // Also of this machine, but another one.
    address.hostname = '127.0.0.2';
    return fetch(address).then(
      ({ status }) => status,
      () => 'refused',
    );
  };
  try {
    expect([await at(`${stack.bffUrl}/widget.js`), await at(`${stack.adminUrl}/livez`)]).toEqual([
      200,
      'refused',
    ]);
  } finally {
    await stack.stop();
  }
});

import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../core/operator/command.ts';
import { runTestCommand } from '../testing/operator/command-line.ts';
import { enough } from '../testing/settings.ts';

describe('the command line', () => {
  it('called for help lists the commands and ends with 0', async () => {
    const { code, stdout } = await runTestCommand(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('serve')]);
  });

  it('called for its version prints it and ends with 0', async () => {
    const { code, stdout } = await runTestCommand(['--version']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
  });

  it.each([['chekc'], ['serve', 'now'], ['--colour']])(
    'called as %s refuses it and ends with 2',
    async (...args) => {
      const { code, stderr } = await runTestCommand(args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: unknown/)]);
    },
  );

  it('called without settings names the missing ones, starts no server and ends with 1', async () => {
    const { code, stderr } = await runTestCommand([]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('SUPPORT_API_URL: is required')]);
  });

  it('that a database server refuses says so, and names the check', async () => {
    const refusal = 'SFATAL\0C3D000\0Mdatabase "shop" does not exist\0\0';
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + refusal.length);
    const server = createServer((client) => {
      client.on('error', () => {}).once('data', () => client.end(`E${length.toString('latin1')}${refusal}`));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const DATABASE_URL = `postgres://deskside@127.0.0.1:${port}/shop`;
    const { code, stderr } = await runTestCommand(['migrate'], {
      ...enough,
      SECRET_KEY: 'x'.repeat(64),
      DATABASE_URL,
    });
    server.close();
    expect([code, stderr]).toEqual([
      1,
      'deskside: database "shop" does not exist\nrun "deskside check": it says what to do\n',
    ]);
  });

  it('refuses a file of settings with a variable that Node.js has read before', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'deskside-cli-')), '.env');
    writeFileSync(file, 'NODE_EXTRA_CA_CERTS=/etc/ca.pem');
    const { code, stderr } = await runTestCommand(['--env', file]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`NODE_EXTRA_CA_CERTS has no effect in ${file}`),
    ]);
    const env = { NODE_EXTRA_CA_CERTS: '/etc/ca.pem' };
    expect((await runTestCommand(['--env', file], env)).stderr).not.toContain('NODE_EXTRA_CA_CERTS');
  });

  it('takes from a file of settings what the environment does not have', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'deskside-cli-')), '.env');
    writeFileSync(file, 'SUPPORT_API_URL=https://tickets.test\nPORT=none\n');
    const { stderr } = await runTestCommand(['--env', file], { PORT: 'nor this' });
    expect(stderr).not.toContain('SUPPORT_API_URL');
    expect(stderr).toContain('PORT');
    expect((await runTestCommand(['--env', file], { PORT: '4000' })).stderr).not.toContain('PORT:');
  });

  it('names a setting that is twice in a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'deskside-cli-')), '.env');
    writeFileSync(file, '# PORT=1\nPORT=none\nHOST=127.0.0.1\n PORT = nor this\n');
    const { stderr } = await runTestCommand(['--env', file]);
    expect(stderr).toContain(`PORT is set more than once in ${file}`);
    expect(stderr).not.toContain('HOST');
  });

  it('names a file of settings that is missing', async () => {
    const { code, stderr } = await runTestCommand(['--env', '/nowhere/.env']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('/nowhere/.env')]);
  });
});

describe('output', () => {
  const styled = (isTTY: boolean, env = {}) => {
    const stream = { isTTY, write: () => true };
    return createOutput({ stdout: stream, stderr: stream }, env).style('red', 'fail');
  };

  it('has colours on a terminal only, and not with NO_COLOR', () => {
    expect(styled(true)).not.toBe('fail');
    expect([styled(false), styled(true, { NO_COLOR: '1' })]).toEqual(['fail', 'fail']);
  });
});

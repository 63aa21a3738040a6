import { execFile } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSeal, openStore } from '../../core/store/open.ts';
import { storeFileName } from '../../core/store/sqlite/open-file.ts';
import { enterStore } from '../../core/store/sqlite/files.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { schema } from '../../extras/index.ts';

const secretKey = 'a secret of more than thirty-two characters';
const newFolder = () => mkdtempSync(join(tmpdir(), 'deskside-backup-'));

let bff: TestBff;
let dataDir: string;
let backup: string;
const envOf = (dir: string) => ({
  SUPPORT_API_URL: 'https://tickets.test',
  SUPPORT_API_KEY: 'key',
  ALLOWED_ORIGINS: 'https://shop.test',
  DATA_DIR: dir,
  SECRET_KEY: secretKey,
});
const run = (command: string, file: string, more = {}, flags: string[] = []) =>
  runTestCommand([command, file, ...flags], { ...envOf(dataDir), ...more });

beforeEach(async () => {
  [dataDir, backup] = [newFolder(), join(newFolder(), 'store.backup')];
  bff = await startBff({ dataDir });
  await checkSeal(bff.store, bff.seal);
});
afterEach(() => bff.stop());

/** The tickets in a store. */
async function ticketsIn(dir: string) {
  const store = await openStore({ dataDir: dir }, schema);
  const rows = await store.selectFrom('operations').select(['state', 'due_at']).orderBy('seq').execute();
  await store.destroy();
  return rows;
}

function isMarkedUsed(file: string): boolean {
  const store = new Database(file, { readonly: true });
  const row = store.prepare('SELECT at FROM last_use').get();
  store.close();
  return row !== undefined;
}

describe('backup', () => {
  it('copies a store in use into one file for its owner only, and names the key to keep', async () => {
    await bff.browser().openTicket();
    const { code, stdout } = await run('backup', backup);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Keep SECRET_KEY of your settings too')]);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(backup, '..'))).toEqual(['store.backup']);
    const copy = new Database(backup, { readonly: true });
    expect(copy.prepare('SELECT state FROM operations').pluck().all()).toEqual(['done']);
    copy.close();
  });

  it('leaves an existing file as it is', async () => {
    writeFileSync(backup, 'precious');
    expect((await run('backup', backup)).code).toBe(2);
    expect(statSync(backup).size).toBe('precious'.length);
  });

  it('without a store names the missing file and ends with 1', async () => {
    const { code, stderr } = await run('backup', backup, { DATA_DIR: '/nowhere' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('/nowhere/deskside.db')]);
  });
});

describe('restore', () => {
  it('brings the backup back, keeps the previous store, and lets the next server look for what waited', async () => {
    await bff.browser().openTicket();
    await bff.worker.stop();
    await bff.browser().openTicket();
    await run('backup', backup);
    const target = newFolder();
    await (await openStore({ dataDir: target }, schema)).destroy();
    const { code, stdout } = await run('restore', backup, { DATA_DIR: target });
    expect([code, stdout]).toEqual([0, expect.stringContaining('before-')]);
    expect(await ticketsIn(target)).toMatchObject([{ state: 'done' }, { state: 'accepted' }]);
    expect(isMarkedUsed(join(target, storeFileName))).toBe(false);
    expect(statSync(join(target, storeFileName)).mode & 0o777).toBe(0o600);
    expect(readdirSync(target).some((name) => name.startsWith('deskside.db.before-'))).toBe(true);
  });

  it('of a store with a log takes what is in the log', async () => {
    await bff.browser().openTicket();
    expect(statSync(join(dataDir, `${storeFileName}-wal`)).size).toBeGreaterThan(0);
    const target = newFolder();
    await run('restore', join(dataDir, storeFileName), { DATA_DIR: target }, ['--unsigned']);
    expect(await ticketsIn(target)).toHaveLength(1);
  });

  it('keeps each of the stores that stood there, also within a second', async () => {
    await run('backup', backup);
    const target = newFolder();
    for (let n = 0; n < 4; n += 1) await run('restore', backup, { DATA_DIR: target });
    expect(readdirSync(target).filter((name) => name.startsWith('deskside.db.before-'))).toHaveLength(3);
  });

  it('that fails leaves the store that stood there, and no draft', async () => {
    await run('backup', backup);
    const broken = new Database(backup);
    broken.pragma('foreign_keys = OFF');
    broken.exec('DROP TABLE last_use');
    broken.close();
    const target = newFolder();
    await (await openStore({ dataDir: target }, schema)).destroy();
    expect((await run('restore', backup, { DATA_DIR: target }, ['--unsigned'])).code).toBe(1);
    expect(readdirSync(target).filter((name) => !name.startsWith('in-use'))).toEqual([storeFileName]);
    expect(await ticketsIn(target)).toEqual([]);
  });

  it('leaves the old store in its place until the new one replaces it', async () => {
    await run('backup', backup);
    const target = newFolder();
    await (await openStore({ dataDir: target }, schema)).destroy();
    const file = join(target, storeFileName);
    const before = statSync(file).ino;
    await run('restore', backup, { DATA_DIR: target });
    const aside = readdirSync(target).find((name) => name.startsWith('deskside.db.before-'))!;
    // The old store has got a second name. It was never renamed.
    expect(statSync(join(target, aside)).ino).toBe(before);
    expect(statSync(file).ino).not.toBe(before);
  });

  it('into an empty folder creates the store', async () => {
    await run('backup', backup);
    const target = join(newFolder(), 'new');
    expect((await run('restore', backup, { DATA_DIR: target })).code).toBe(0);
    expect(await ticketsIn(target)).toEqual([]);
  });

  describe('is refused and changes nothing', () => {
    async function refusal(more = {}): Promise<string> {
      const target = newFolder();
      const { code, stderr } = await run('restore', backup, { DATA_DIR: target, ...more });
      expect(code).toBe(1);
      expect(existsSync(join(target, storeFileName))).toBe(false);
      return stderr;
    }

    it('if a row was changed since, unless its origin is known', async () => {
      await run('backup', backup);
      const changed = new Database(backup);
      changed.exec('DELETE FROM used_once; INSERT INTO services VALUES (1, 1)');
      changed.close();
      expect(await refusal()).toContain('give --unsigned');
      const target = { DATA_DIR: newFolder() };
      expect((await run('restore', backup, target, ['--unsigned'])).code).toBe(0);
    });

    it('if it has a trigger', async () => {
      await run('backup', backup);
      const changed = new Database(backup);
      changed.exec('CREATE TRIGGER t AFTER INSERT ON grants BEGIN SELECT 1; END');
      changed.close();
      expect(await refusal()).toContain('trigger');
    });

    it('if it has a table that is not of Deskside, also if its origin is known', async () => {
      await run('backup', backup);
      const changed = new Database(backup);
      changed.exec('CREATE TABLE more (text)');
      changed.close();
      const target = newFolder();
      const { code, stderr } = await run('restore', backup, { DATA_DIR: target }, ['--unsigned']);
      expect([code, stderr]).toEqual([1, expect.stringContaining('table that is not of Deskside: more')]);
      expect(existsSync(join(target, storeFileName))).toBe(false);
    });

    it('if it is no file', async () => {
      mkdirSync(backup);
      expect(await refusal()).toContain('is no file');
    });

    it('while a server runs on the store', async () => {
      await run('backup', backup);
      const target = newFolder();
      const presence = enterStore(target);
      expect(await refusal({ DATA_DIR: target })).toContain('stop it first');
      presence.leave();
    });

    it('for a backup made with another secret key', async () => {
      await run('backup', backup);
      const other = { SECRET_KEY: 'another one, just as long as it must be' };
      expect(await refusal(other)).toContain('another secret key');
    });

    it('without a secret key', async () => {
      await run('backup', backup);
      expect(await refusal({ SECRET_KEY: '' })).toContain('put the secret key');
    });

    it('for a backup of another version', async () => {
      await run('backup', backup);
      const sqlite = new Database(backup);
      sqlite.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')");
      sqlite.close();
      expect(await refusal()).toContain('another version');
    });

    it('for a file that is no store, and for a missing file', async () => {
      writeFileSync(backup, 'no database at all'.repeat(99));
      expect(await refusal()).toContain('damaged or no store');
      backup = '/nowhere';
      expect(await refusal()).toContain('there is no file');
    });
  });
});

/** Of a user without rights, as whom a server may run. */
const nobody = { uid: 65_534, gid: 65_534 };

it.runIf(process.getuid?.() === 0)(
  'a restore by root follows no link of the owner of the folder',
  async () => {
    await run('backup', backup);
    const [target, precious] = [newFolder(), join(newFolder(), 'precious')];
    writeFileSync(precious, 'precious', { mode: 0o600 });
    symlinkSync(precious, join(target, 'in-use.db'));
    chownSync(target, nobody.uid, nobody.gid);
    const restored = await runAsRoot('restore', backup, target);
    expect(restored).toContain('unable to open');
    expect([statSync(precious).uid, readFileSync(precious, 'utf8')]).toEqual([0, 'precious']);
    rmSync(join(target, 'in-use.db'));
    expect(await runAsRoot('restore', backup, target)).toBe('');
    expect(statSync(join(target, storeFileName)).uid).toBe(nobody.uid);
  },
);

it.runIf(process.getuid?.() === 0)(
  'a restore by root into the folder of a site that is not there yet leaves it to the owner of the folder above',
  async () => {
    await run('backup', backup);
    const above = newFolder();
    chownSync(above, nobody.uid, nobody.gid);
    const target = join(above, 'sites', 'garden');
    expect(await runAsRoot('restore', backup, target)).toBe('');
    expect([dirname(target), target, join(target, storeFileName)].map((file) => statSync(file).uid)).toEqual(
      Array(3).fill(nobody.uid),
    );
  },
);

/** In a process of its own, which may give up its rights. Returns its errors. */
const runAsRoot = (command: string, file: string, dir: string) =>
  new Promise<string>((resolve) => {
    const args = ['--import', 'tsx', 'bff/main.ts', command, file];
    const env = { ...process.env, ...envOf(dir), NODE_NO_WARNINGS: '1' };
    execFile(process.execPath, args, { env }, (_error, _stdout, stderr) => resolve(stderr));
  });

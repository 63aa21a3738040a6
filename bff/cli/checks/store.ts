import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  durabilityOff,
  inspectPlace,
  isOneStore,
  isPooled,
  mostConnections,
  rolesWithAccess,
  tryLock,
  tryWrite,
  unsuitable,
  whyUnusable,
} from '../../core/store/inspect.ts';
import { storeFileName } from '../../core/store/sqlite/open-file.ts';
import { sharedFiles } from '../../core/store/sqlite/files.ts';
import { createSeal } from '../../core/store/seal.ts';
import { readSecretKey } from '../../core/store/secret.ts';
import { explain } from '../../core/operator/command.ts';
import { type Check, type CheckContext, fail, ok, once, skip, warn } from '../../core/operator/check.ts';
import { schema } from '../../extras/index.ts';

/** File system types of statfs(2) that lose their content. */
const volatile = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
  [0x794c7630, 'overlayfs, the layer of a container'],
]);
const remote = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
]);

/** Ten for statements, three between instances, and one for notifications. */
const connectionsOfInstance = 14;

const mib = 1024 * 1024;
const fullMib = 100;
const nearlyFullMib = 1_024;

const nearestExisting = (dir: string): string =>
  existsSync(dir) || dirname(dir) === dir ? dir : nearestExisting(dirname(dir));

/** Looks at the store of this machine, and changes nothing in it. */
export function storeChecks({ config }: CheckContext): Check[] {
  const dataDir = once(() => resolve(config().dataDir));
  const file = () => join(dataDir(), storeFileName);
  const inspection = once(() => inspectPlace(config().place, schema));
  const none = 'there is no store yet: the first start makes it';
  const isOnServer = () => 'databaseUrl' in config().place;
  const onServer = 'the store is on the server of DATABASE_URL';
  const filesystem = () => statfsSync(nearestExisting(dataDir()));

  return [
    {
      name: 'store-directory',
      needs: ['configuration'],
      fix: 'Set DATA_DIR to a folder that the user who runs the BFF may write to.',
      run() {
        if (isOnServer()) return ok(onServer);
        const dir = nearestExisting(dataDir());
        if (!statSync(dir).isDirectory()) return fail(`${dir} is not a folder`);
        try {
          accessSync(dir, constants.W_OK);
          if (dir !== dataDir()) return ok(`${dataDir()} does not exist: the first start makes it`);
          const draft = join(dir, `check-${randomUUID()}`);
          writeFileSync(draft, '', { flag: 'wx', mode: 0o600 });
          rmSync(draft);
          return ok(dataDir());
        } catch (error) {
          return fail(`${dir} cannot be written (${(error as NodeJS.ErrnoException).code})`);
        }
      },
    },
    {
      name: 'store-space',
      needs: ['store-directory'],
      fix: 'Free space on the disk of DATA_DIR: on a full disk nothing is accepted.',
      run() {
        if (isOnServer()) return skip(onServer);
        const { bavail, bsize } = filesystem();
        const freeMib = Math.floor((bavail * bsize) / mib);
        const says = `${freeMib} MiB are free`;
        return freeMib < fullMib ? fail(says) : freeMib < nearlyFullMib ? warn(says) : ok(says);
      },
    },
    {
      name: 'store-private',
      needs: ['store-directory'],
      fix: 'Run chmod 600 on these files, as their owner.',
      run() {
        if (isOnServer()) return skip(onServer);
        const shared = sharedFiles(dataDir());
        return shared.length === 0
          ? ok('nobody else on this machine may read its files')
          : fail(`others on this machine may read ${shared.join(', ')}`);
      },
    },
    {
      name: 'store-readable',
      needs: ['store-directory'],
      fix: 'Put a good copy in its place: deskside restore <backup>.',
      async run() {
        try {
          if (!(await inspection())) return ok(none);
          return ok(isOnServer() ? 'the server answers' : 'it is not damaged');
        } catch (error) {
          if (isOnServer())
            return fail(explain(error), 'Check DATABASE_URL, and that the server may be reached from here.');
          return fail(`${file()} is damaged or no store: ${(error as Error).message}`);
        }
      },
    },
    {
      name: 'store-durable',
      needs: ['store-readable'],
      fix: 'Put DATA_DIR on a disk of this machine that stays: a volume, if this is a container.',
      async run() {
        const { place } = config();
        if ('databaseUrl' in place) {
          const off = await durabilityOff(place);
          return off.length === 0
            ? ok('the server keeps what it has confirmed')
            : warn(
                `the server has ${off.join(' and ')} off: what is accepted may be lost when it crashes`,
                'Turn these settings on for the database, or for the role of DATABASE_URL.',
              );
        }
        const { type } = filesystem();
        const [lost, far] = [volatile.get(type), remote.get(type)];
        if (lost) return warn(`DATA_DIR is on ${lost}: what is accepted may be lost by a restart`);
        return far
          ? fail(`DATA_DIR is on ${far}, where locks of SQLite do not hold`)
          : ok('DATA_DIR is on a disk');
      },
    },
    {
      name: 'store-schema',
      needs: ['store-readable'],
      fix: 'Install that version of Deskside again, or restore a backup of this one.',
      async run() {
        const found = await inspection();
        if (!found) return ok(none);
        if (found.unknown.length > 0) return fail(`another version has made ${found.unknown.join(', ')}`);
        return ok(
          found.pending.length === 0
            ? 'it is that of this version'
            : `it is of an older version: the next start runs ${found.pending.join(', ')}`,
        );
      },
    },
    {
      name: 'store-rights',
      needs: ['store-readable'],
      fix: 'Name a database of its own on the primary server, and a role that has this right: GRANT CREATE ON SCHEMA, or its owner.',
      async run() {
        const { place } = config();
        if (!('databaseUrl' in place)) return ok('the store is a file');
        const why = await whyUnusable(place, schema, (await inspection())?.pending.length === 0);
        return why ? fail(why) : ok('the role has the rights that the server needs');
      },
    },
    {
      name: 'store-roles',
      needs: ['store-readable'],
      fix: 'REVOKE ALL ON ALL TABLES IN SCHEMA of the store FROM these roles, or enable row-level security on its tables.',
      async run() {
        const { place } = config();
        if (!('databaseUrl' in place)) return ok('the store is a file');
        const roles = await rolesWithAccess(place, schema);
        return roles.length === 0
          ? ok('no other role may use the tables')
          : warn(
              `others may use the tables: ${roles.join(', ')}. A service such as Supabase lets everybody act as one of these`,
            );
      },
    },
    {
      name: 'store-settings',
      needs: ['store-readable'],
      fix: 'Change them with ALTER DATABASE or ALTER ROLE, or name another database.',
      async run() {
        const { place } = config();
        if (!('databaseUrl' in place)) return ok('the store is a file');
        const wrong = await unsuitable(place);
        return wrong.length === 0 ? ok('those of the database suit a store') : fail(wrong.join('; '));
      },
    },
    {
      name: 'store-connections',
      needs: ['store-readable'],
      fix: `Let the role of DATABASE_URL have ${connectionsOfInstance} connections for each instance: CONNECTION LIMIT, max_connections.`,
      async run() {
        const { place } = config();
        if (!('databaseUrl' in place)) return ok('the store is a file');
        const most = await mostConnections(place);
        const says = `the server lets the role have ${most} connections`;
        return most < connectionsOfInstance ? warn(says) : ok(says);
      },
    },
    {
      name: 'store-direct',
      needs: ['store-readable'],
      fix: 'Set DATABASE_NOTIFY_URL to the database server itself, without a pooler.',
      async run() {
        const { place } = config();
        if (!('databaseUrl' in place)) return ok('the store is a file');
        try {
          if (!(await isOneStore(place, schema)))
            return fail(
              'DATABASE_NOTIFY_URL leads to another database than DATABASE_URL',
              'Name the same database in both.',
            );
          return (await isPooled(place))
            ? fail('a pooler takes the connections for migrations and notifications')
            : ok('migrations and notifications have their own connections');
        } catch (error) {
          return fail(explain(error));
        }
      },
    },
    {
      name: 'store-writable',
      needs: ['store-rights'],
      fix: 'Give DATA_DIR and its files to the user who runs the BFF.',
      async run() {
        if (!(await inspection())) return ok(none);
        const { place } = config();
        if ('databaseUrl' in place)
          return tryWrite(place).then(
            () => ok('it takes writes'),
            (error: unknown) =>
              fail(
                explain(error),
                'Free space on the disk of the server, or find what keeps it from writing.',
              ),
          );
        try {
          tryLock(file());
          return ok('it takes writes');
        } catch (error) {
          const { code } = error as { code?: string };
          return code === 'SQLITE_BUSY'
            ? fail(
                'another program holds its lock: nothing is accepted',
                'Stop what opens the file; copy a running store only with deskside backup; use no network file system.',
              )
            : fail(`it cannot be written (${code})`);
        }
      },
    },
    {
      name: 'store-secret',
      needs: ['store-readable'],
      fix: 'Set SECRET_KEY to the key that the store was made with, or put its file secret-key back into DATA_DIR.',
      async run() {
        const { secretKey } = config();
        const sealed = (await inspection())?.sealed ?? null;
        const key = readSecretKey(secretKey, dataDir());
        if (sealed === null) return ok(key ? 'there is a secret key' : 'the first start makes a secret key');
        if (key === null) return fail('there is a store, and its secret key is missing');
        return createSeal(key).open('seal_check.sealed', sealed)
          ? ok('the secret key opens the store')
          : fail('the store was made with another secret key');
      },
    },
  ];
}

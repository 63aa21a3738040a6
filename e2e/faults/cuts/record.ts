import { spawnSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * What programs ask of the kernel, in order, as strace tells it: how they change what is below one folder, and what they
 * say to others. It knows nothing of disks and of Deskside.
 */

const program = '/usr/bin/strace';

/** Whether this machine has strace, and allows it. */
export const canTrace = () => spawnSync(program, ['-qq', '-e', 'trace=none', 'true']).status === 0;

export type Deed =
  | { do: 'create' | 'make folder' | 'remove'; path: string }
  /** `at` is Infinity at the end of the file. */
  | { do: 'write'; path: string; at: number; bytes: Buffer }
  | { do: 'copy'; from: string; to: string; length: number }
  | { do: 'size'; path: string; size: number }
  | { do: 'link' | 'rename'; from: string; to: string }
  /** Brings onto the disk what was done before the step `begun`. */
  | { do: 'sync'; path: string; begun: number }
  /** To a socket, or to the standard output. */
  | { do: 'say'; to: string; text: string };
/** Numbered in the order in which the calls began; a sync in that in which it ended. */
export type Step = Deed & { nth: number };

const calls =
  `openat write writev pwrite64 pwritev ftruncate fallocate copy_file_range sendfile ioctl sendto sendmsg
  rename renameat renameat2 link linkat symlink unlink unlinkat rmdir mkdir mkdirat fsync fdatasync`.split(
    /\s+/,
  );

/** The command that records another one in a file, behind what is there. Signals reach that other one. */
export const recordingIn = (file: string): string[] => [
  program,
  ...'-D -f -A -q -yy -xx -s 100000000 --seccomp-bpf -e signal=none -e'.split(' '),
  `trace=${calls.join()}`,
  '-o',
  file,
];

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
const quotedIn = (text: string) => Array.from(text.matchAll(/"([^"]*)"/g), ([, hex]) => bytesOf(hex!));

/** The files and connections among the arguments, such as `20<\x2f…>` and `20<TCP:[…->…]>`. */
const handlesIn = (args: string) =>
  Array.from(
    args.slice(0, 5_000).matchAll(/(\d+|AT_FDCWD)<((?:\\x..)+|TCP[^>]*->[^>]*)>(\(deleted\))?/g),
    ([, fd, name, isDeleted]) => ({
      fd: Number(fd),
      // The name of a file that was removed may be that of another one by now.
      path: isDeleted ? '' : name!.startsWith('TCP') ? name! : bytesOf(name!).toString(),
    }),
  );

function createReader(root: string) {
  /** Where a write without a place goes, by file descriptor. Infinity: to the end. */
  const places = new Map<number, number>();
  const isInside = (path: string | undefined) => path?.startsWith(root + sep) === true || path === root;

  function opened(args: string, fd: number): Deed[] {
    const path = String(quotedIn(args)[0]);
    if (!isInside(path)) return [];
    places.set(fd, args.includes('O_APPEND') ? Infinity : 0);
    return [
      ...(args.includes('O_CREAT') ? [{ do: 'create', path } as const] : []),
      ...(args.includes('O_TRUNC') ? [{ do: 'size', path, size: 0 } as const] : []),
    ];
  }

  function written(name: string, args: string, length: number): Deed[] {
    const { fd, path } = handlesIn(args)[0] ?? { fd: Number.parseInt(args, 10), path: '' };
    const to = fd === 1 ? 'stdout' : path;
    if (fd !== 1 && !path.startsWith('TCP') && !isInside(path)) return [];
    const bytes = Buffer.concat(quotedIn(args)).subarray(0, length);
    if (!isInside(path)) return [{ do: 'say', to, text: bytes.toString() }];
    if (name.startsWith('pwrite')) return [{ do: 'write', path, at: Number(/\d+$/.exec(args)), bytes }];
    const at = places.get(fd) ?? 0;
    places.set(fd, at + length);
    return [{ do: 'write', path, at, bytes }];
  }

  /**
   * How a call that has succeeded changes the folder, or what it says.
   * @throws when that is not known
   */
  return function deedsOf(name: string, args: string, result: number, begun: number): Deed[] {
    if (name === 'openat') return opened(args, result);
    if (/^p?write|^send(to|msg)/.test(name)) return written(name, args, result);
    const handles = handlesIn(args).filter(({ fd }) => !Number.isNaN(fd));
    const [first, second] = handles.map(({ path }) => path);
    if (name === 'copy_file_range')
      return isInside(second) ? [{ do: 'copy', from: first!, to: second!, length: result }] : [];
    if (name === 'sendfile')
      return isInside(first) ? [{ do: 'copy', from: second!, to: first!, length: result }] : [];
    const paths = handles.length > 0 ? [first] : quotedIn(args).map(String);
    if (!paths.some(isInside) || (name === 'ioctl' && !args.includes('FICLONE'))) return [];
    const [path, to] = paths as [string, string];
    if (/^f(data)?sync/.test(name)) return [{ do: 'sync', path, begun }];
    if (name === 'ftruncate') return [{ do: 'size', path, size: Number(/\d+$/.exec(args)) }];
    if (name.startsWith('mkdir')) return [{ do: 'make folder', path }];
    if (/^(unlink|rmdir)/.test(name)) return [{ do: 'remove', path }];
    if (name.startsWith('link')) return [{ do: 'link', from: path, to }];
    if (name.startsWith('rename')) return [{ do: 'rename', from: path, to }];
    throw new Error(`the record has a call of unknown effect: ${name}(${args.slice(0, 200)}`);
  };
}

/** Resolves when all of the process is in its record. strace ends after it. */
async function untilWhole(file: string, pid: number): Promise<void> {
  const handle = await open(file);
  const end = Buffer.alloc(100);
  for (; ; await sleep(10)) {
    const { size } = await handle.stat();
    const { bytesRead } = await handle.read(end, 0, end.length, Math.max(0, size - end.length));
    if (new RegExp(`^${pid} +\\+{3}`, 'm').test(end.toString('latin1', 0, bytesRead))) break;
  }
  await handle.close();
}

/** The steps below `root` in a record whose last process had this id, and has ended. */
export async function readRecord(file: string, root: string, pid: number): Promise<Step[]> {
  await untilWhole(file, pid);
  const deedsOf = createReader(root);
  const steps: Step[] = [];
  const unfinished = new Map<string, { nth: number; text: string }>();
  let next = 0;
  const handle = await open(file);
  for await (const line of handle.readLines({ encoding: 'latin1' })) {
    const [, id, said] = /^(\d+) +(.*)$/.exec(line)!;
    if (said!.endsWith(' <unfinished ...>')) {
      unfinished.set(id!, { nth: next++, text: said!.slice(0, -' <unfinished ...>'.length) });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(said!);
    const { nth, text } = (resumed && unfinished.get(id!)) ?? { nth: next++, text: '' };
    const call = /^(\w+)\((.*)\) += (\d+)/.exec(text + said!.slice(resumed?.[0].length ?? 0));
    if (!call) continue;
    // The disk may have a change before its call ends.
    for (const deed of deedsOf(call[1]!, call[2]!, Number(call[3]), nth))
      steps.push({ ...deed, nth: deed.do === 'sync' ? next++ : nth });
  }
  return steps.toSorted((a, b) => a.nth - b.nth);
}

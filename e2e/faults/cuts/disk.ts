import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Random } from '../schedules/random.ts';
import type { Step } from './record.ts';

/*
 * A disk that may lose what was not synced. It knows nothing of Deskside.
 *
 * Of the unsynced changes of a file, some may be there: the first ones, or any, each in whole sectors. A name that is
 * new, changed or removed is there for sure once its folder is synced. Until then the journal of a file system may have
 * it: the changes of one folder get there in order, those of several folders in any.
 */

const sector = 512;

type Change = { nth: number; at: number; bytes: Buffer } | { nth: number; size: number };
interface File {
  /** What is there for sure. */
  synced: Buffer;
  changes: Change[];
}
interface NameChange {
  nth: number;
  /** Null: the name is removed. */
  names: [string, Node | null][];
  /** The other half of a move from this folder: the file is never in none of them. */
  needs?: { folder: Folder; change: NameChange };
}
interface Folder {
  synced: Map<string, Node>;
  changes: NameChange[];
}
type Node = File | Folder;
const isFile = (node: Node): node is File => Buffer.isBuffer(node.synced);

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  let size = bytes.length;
  const ends = changes.map((change) => ('size' in change ? change.size : change.at + change.bytes.length));
  const all = Buffer.alloc(Math.max(size, ...ends));
  bytes.copy(all);
  for (const change of changes)
    if ('bytes' in change) {
      change.bytes.copy(all, change.at);
      size = Math.max(size, change.at + change.bytes.length);
    } else {
      all.fill(0, change.size);
      size = change.size;
    }
  return all.subarray(0, size);
}

/** A part of a write that the disk may have without the rest. */
function* sectorsOf(change: Change): Generator<Change> {
  if ('size' in change) return yield change;
  const { nth, at, bytes } = change;
  for (let from = at; from < at + bytes.length;) {
    const to = Math.min(at + bytes.length, from - (from % sector) + sector);
    yield { nth, at: from, bytes: bytes.subarray(from - at, to - at) };
    from = to;
  }
}

/** What the disk may have of changes that were not synced. */
function someOf(changes: readonly Change[], random: Random): Change[] {
  const parts = changes.flatMap((change) => [...sectorsOf(change)]);
  if (random.chance(0.5)) return parts.slice(0, random.between(0, parts.length));
  const share = random.pick([0, 0.5, 0.9, 1]);
  return parts.filter(() => random.chance(share));
}

const namesOf = (folder: Folder, changes: readonly NameChange[] = folder.changes): Map<string, Node> => {
  const names = new Map(folder.synced);
  for (const [name, node] of changes.flatMap((change) => change.names))
    if (node) names.set(name, node);
    else names.delete(name);
  return names;
};

function foldersIn(folder: Folder, found = new Set<Folder>()): Set<Folder> {
  found.add(folder);
  const nodes = [
    ...folder.synced.values(),
    ...folder.changes.flatMap(({ names }) => names.map(([, node]) => node)),
  ];
  for (const node of nodes) if (node && !isFile(node) && !found.has(node)) foldersIn(node, found);
  return found;
}

function readFolder(path: string): Folder {
  const entries = readdirSync(path, { withFileTypes: true }).map((entry): [string, Node] => {
    const inside = join(path, entry.name);
    return [
      entry.name,
      entry.isDirectory() ? readFolder(inside) : { synced: readFileSync(inside), changes: [] },
    ];
  });
  return { synced: new Map(entries), changes: [] };
}

/** A disk that has below `root` what is in a folder now, for sure. */
export function createDisk(root: string, filledFrom = root) {
  const top = readFolder(filledFrom);

  function find(path: string): Node | undefined {
    if (path === root) return top;
    // From elsewhere, and for sure.
    if (!path.startsWith(root)) return { synced: readFileSync(path), changes: [] };
    const folder = find(dirname(path));
    return folder && !isFile(folder) ? namesOf(folder).get(basename(path)) : undefined;
  }
  const fileAt = (path: string) => find(path) as File;
  const folderOf = (path: string) => find(dirname(path)) as Folder;
  const contentOf = ({ synced, changes }: File) => changed(synced, changes);

  function rename(nth: number, from: string, to: string): void {
    const [source, target, node] = [folderOf(from), folderOf(to), find(from)!];
    const added: NameChange = { nth, names: [[basename(to), node]] };
    target.changes.push(added);
    const removed: [string, null] = [basename(from), null];
    if (source === target) added.names.push(removed);
    else source.changes.push({ nth, names: [removed], needs: { folder: target, change: added } });
  }

  function sync(node: Node, begun: number): void {
    const isBefore = ({ nth }: { nth: number }) => nth < begun;
    if (isFile(node)) {
      node.synced = changed(node.synced, node.changes.filter(isBefore));
      node.changes = node.changes.filter((change) => !isBefore(change));
      return;
    }
    const now = node.changes.filter(isBefore);
    node.synced = namesOf(node, now);
    node.changes = node.changes.filter((change) => !isBefore(change));
    for (const { needs } of now) if (needs) sync(needs.folder, needs.change.nth + 1);
  }

  /** The changes of names that the disk has, by folder. */
  function someNames(random: Random): Map<Folder, readonly NameChange[]> {
    const kept = new Map<Folder, readonly NameChange[]>();
    for (const folder of foldersIn(top)) {
      const { length } = folder.changes;
      kept.set(folder, folder.changes.slice(0, random.pick([0, length, random.between(0, length)])));
    }
    const isLost = ({ needs }: NameChange) =>
      needs?.folder.changes.includes(needs.change) && !kept.get(needs.folder)?.includes(needs.change);
    for (let isStable = false; !isStable;) {
      isStable = true;
      for (const [folder, changes] of kept) {
        const first = changes.findIndex(isLost);
        if (first < 0) continue;
        isStable = false;
        kept.set(folder, changes.slice(0, first));
      }
    }
    return kept;
  }

  return {
    do(step: Step): void {
      const { nth } = step;
      switch (step.do) {
        case 'create':
        case 'make folder': {
          if (find(step.path)) return;
          const node: Node =
            step.do === 'create'
              ? { synced: Buffer.alloc(0), changes: [] }
              : { synced: new Map(), changes: [] };
          folderOf(step.path).changes.push({ nth, names: [[basename(step.path), node]] });
          return;
        }
        case 'remove':
          folderOf(step.path).changes.push({ nth, names: [[basename(step.path), null]] });
          return;
        case 'link':
          folderOf(step.to).changes.push({ nth, names: [[basename(step.to), find(step.from)!]] });
          return;
        case 'rename':
          return rename(nth, step.from, step.to);
        case 'write': {
          const file = fileAt(step.path);
          const at = step.at === Infinity ? contentOf(file).length : step.at;
          file.changes.push({ nth, at, bytes: step.bytes });
          return;
        }
        case 'copy': {
          const to = fileAt(step.to);
          const at = contentOf(to).length;
          const bytes = contentOf(fileAt(step.from)).subarray(at, at + step.length);
          to.changes.push({ nth, at, bytes });
          return;
        }
        case 'size':
          fileAt(step.path).changes.push({ nth, size: step.size });
          return;
        case 'sync':
          return sync(find(step.path)!, step.begun);
        case 'say':
      }
    },

    /** What programs see: the content of each file, by its path. */
    shown(folder: Folder = top, path = root): Map<string, Buffer> {
      const inside = Array.from(namesOf(folder), ([name, node]) =>
        isFile(node)
          ? [[join(path, name), contentOf(node)] as const]
          : [...this.shown(node, join(path, name))],
      );
      return new Map(inside.flat());
    },

    /** Writes what the disk may have after a power cut now into a folder. */
    cut(into: string, random: Random): void {
      const names = someNames(random);
      const contents = new Map<File, Buffer>();
      function write(folder: Folder, path: string): void {
        mkdirSync(path, { recursive: true });
        for (const [name, node] of namesOf(folder, names.get(folder)))
          if (isFile(node)) {
            const content = contents.get(node) ?? changed(node.synced, someOf(node.changes, random));
            contents.set(node, content);
            writeFileSync(join(path, name), content);
          } else write(node, join(path, name));
      }
      write(top, into);
    },
  };
}

export type Disk = ReturnType<typeof createDisk>;

import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTestCommand } from '../../../bff/testing/operator/command-line.ts';
import { restartOn } from '../../../bff/extras/test-restart.ts';
import { createRandom } from '../schedules/random.ts';
import { buildForFaults, type FaultBuild } from '../servers/build.ts';
import { createDisk } from './disk.ts';
import { createJudge, type Kept } from './judge.ts';
import { operator, type Recording, recordCommand, recordServer } from './load.ts';
import { canTrace, type Step } from './record.ts';

const seed = Number(process.env['CUTS_SEED'] ?? 1);
/** How often the power of a server is cut. That of a command: a fifth. */
const cuts = Number(process.env['CUTS'] ?? 80);
/** Many sends fill the log of the store, so that it is copied into the file. */
const load = cuts > 1_000 ? { customers: 10, replies: 20 } : { customers: 4, replies: 4 };

const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const made: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(memory, 'deskside-cuts-'));
  made.push(folder);
  return folder;
}

/**
 * Cuts the power about `count` times while the recorded steps are done. Returns what `judge` finds on the disks, each
 * with the number of the step. Ends after the first disk with findings.
 */
async function cutPower(
  { disk, steps }: Recording,
  count: number,
  judge: (folder: string) => Promise<string[]>,
  hear: (step: Step) => void = () => {},
): Promise<{ findings: string[]; disks: number }> {
  const random = createRandom(seed);
  const writes = steps.filter((step) => step.do === 'write').length;
  const says = steps.filter((step) => step.do === 'say').length;
  /** Half of the cuts come before writes, which are most of the steps, and half before syncs and changes of names. */
  const shares = {
    write: count / 2 / writes,
    say: 0,
    rest: count / 2 / (steps.length - writes - says),
    end: 5,
  };
  let disks = 0;
  for (const [nth, step] of [...steps, null].entries()) {
    const share = shares[step === null ? 'end' : step.do === 'write' || step.do === 'say' ? step.do : 'rest'];
    const times = Math.floor(share) + Number(random.chance(share % 1));
    for (let time = 0; time < times; time += 1) {
      const folder = newFolder();
      disk.cut(folder, random);
      disks += 1;
      const findings = await judge(folder).catch((error: Error) => [`does not start: ${error.message}`]);
      rmSync(folder, { recursive: true });
      if (findings.length > 0) return { findings: findings.map((line) => `${nth}: ${line}`), disks };
    }
    if (step) disk.do(step);
    if (step) hear(step);
  }
  return { findings: [], disks };
}

/**
 * Cuts the power of a command. `find` finds what it has written; null: nothing. Once it has said `end`, that must be
 * `whole`.
 */
async function cutCommand(
  recording: Recording,
  whole: Kept,
  end: string,
  find: (folder: string) => Promise<Kept | null>,
) {
  let hasEnded = false;
  const judge = async (folder: string) => {
    const found = await find(folder);
    if (!found) return hasEnded ? ['lost: everything'] : [];
    const missing = [...whole.sends.keys()].filter((key) => !found.sends.has(key));
    return [...missing.map((key) => `lost: ${key}`), ...(hasEnded ? found.damaged : [])];
  };
  const { findings } = await cutPower(recording, cuts / 5, judge, (step) => {
    if (step.do === 'say' && step.text.includes(end)) hasEnded = true;
  });
  expect(hasEnded).toBe(true);
  return findings;
}

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!canTrace())('a power cut', () => {
  const root = newFolder();
  const dataDir = join(root, 'data');
  const whole = () => restartOn({ ...operator, DATA_DIR: dataDir });
  let built: FaultBuild;
  let server: Awaited<ReturnType<typeof recordServer>>;
  beforeAll(async () => {
    built = await buildForFaults();
    server = await recordServer(built.bff, root, load);
  });
  afterAll(() => built.remove());

  /** Cuts the power of the server on an empty disk. */
  async function cutServer(steps: readonly Step[], count: number) {
    const { hear, judge, counts } = createJudge(server);
    const restart = async (folder: string) =>
      judge(await restartOn({ ...operator, DATA_DIR: join(folder, 'data') }));
    const disk = createDisk(root, newFolder());
    const { findings, disks } = await cutPower({ disk, steps }, count, restart, hear);
    return { findings, disks, ...counts(), shown: disk.shown() };
  }

  it('loses nothing that a customer was told, nor what was sent, and the next start needs no repair', async () => {
    const { findings, disks, told, files, sent, shown } = await cutServer(server.steps, cuts);
    expect(findings).toEqual([]);
    const sends = 2 * load.customers * (load.replies + 1);
    expect(told).toBe(sends);
    expect([disks > cuts / 2, sent > sends / 2, files > sends / 5]).toEqual([true, true, true]);
    // The record is complete: it gives what is there.
    const different = [...shown].filter(([path, content]) => !readFileSync(path).equals(content));
    expect(different.map(([path]) => path)).toEqual([]);
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    expect(shown.size).toBe(entries.filter((entry) => entry.isFile()).length);
  });

  it('is judged: a store that is never synced is found wanting', async () => {
    const isOfStore = (step: Step) => step.do === 'sync' && step.path.includes('deskside.db');
    const { findings } = await cutServer(
      server.steps.filter((step) => !isOfStore(step)),
      40,
    );
    expect(findings).toContainEqual(
      expect.stringMatching(/: (lost|taken back|not recorded|damaged|does not start): /),
    );
  });

  it('leaves a backup whole or without its name, and all of it once it was reported', async () => {
    const disk = newFolder();
    const recording = await recordCommand(built.bff, ['backup', join(disk, 'backup')], disk, dataDir);
    const findings = await cutCommand(recording, await whole(), 'Keep', async (folder) => {
      const backup = join(folder, 'backup');
      if (!existsSync(backup)) return null;
      const env = { ...operator, SECRET_KEY: readFileSync(join(dataDir, 'secret-key'), 'utf8') };
      const restored = { ...env, DATA_DIR: join(folder, 'data') };
      const { code, stderr } = await runTestCommand(['restore', backup], restored);
      if (code !== 0) throw new Error(stderr);
      return restartOn(restored);
    });
    expect(findings).toEqual([]);
  });

  it('during a restore leaves the one store or the other, and all that came back once it was reported', async () => {
    const [backup, disk] = [join(newFolder(), 'backup'), newFolder()];
    const command = ['backup', backup];
    expect((await runTestCommand(command, { ...operator, DATA_DIR: dataDir })).code).toBe(0);
    const target = join(disk, 'data');
    cpSync(dataDir, target, { recursive: true });
    rmSync(join(target, 'files'), { recursive: true });
    const recording = await recordCommand(built.bff, ['restore', backup], disk, target);
    const findings = await cutCommand(recording, await whole(), 'is that of', (folder) =>
      restartOn({ ...operator, DATA_DIR: join(folder, 'data') }),
    );
    expect(findings).toEqual([]);
  });
});

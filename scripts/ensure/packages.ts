import { existsSync } from 'node:fs';
import { run } from '../run.ts';

/** The tools that tests need in addition to npm packages. */
export interface Need {
  name: string;
  isThere: () => boolean;
  /** The names of the Debian packages. */
  packages: string[];
}

/** Whether packages can be installed from here. */
export const isDebianRoot = existsSync('/etc/debian_version') && process.getuid?.() === 0;
export const isMissing = ({ isThere }: Need) => !isThere();

/** For people: how to install what is missing. */
export const installCommand = (needs: Need[]) =>
  `apt-get install ${needs.flatMap(({ packages }) => packages).join(' ')}`;

/**
 * Installs what is missing, if this is Debian and root. If something is missing then, the process ends, unless
 * `isOptional` and packages cannot be installed from here: what needs it leaves itself out.
 */
export async function ensure(needs: Need[], { isOptional = false } = {}): Promise<void> {
  const before = needs.filter(isMissing);
  if (before.length > 0 && isDebianRoot) await installOnDebian(before);
  const missing = needs.filter(isMissing);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  console.error(`NOT RUN: ${names}, not on this machine (Debian: ${installCommand(missing)}).`);
  if (!isOptional || isDebianRoot) process.exit(1);
}

export async function installOnDebian(needs: Need[]): Promise<void> {
  // Servers among the packages are not started: single-user runlevel.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const packages = needs.flatMap((need) => need.packages);
  // A download may fail for a moment, and another installation may be under way.
  const patient = ['-qq', '-o', 'Acquire::Retries=5', '-o', 'DPkg::Lock::Timeout=300'];
  await run('apt-get', ['update', ...patient], env);
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...patient, ...packages], env);
}

import { collectDefaultMetrics, type Registry } from 'prom-client';
import { version } from '../version.ts';
import { declareIn } from './declare.ts';

/**
 * Declares the build, and prom-client's metrics of the process. Their names have no prefix, so that dashboards for
 * Node understand them. To be called once in a process, because it observes the event loop and the garbage collector.
 */
export function declareProcess(registry: Registry): void {
  declareIn(registry)
    .gauge({
      name: 'deskside_build_info',
      help: 'Always 1: the version of this build, and of Node.',
      labelNames: ['version', 'node'],
    })
    .set({ version, node: process.version }, 1);
  collectDefaultMetrics({ register: registry });
}

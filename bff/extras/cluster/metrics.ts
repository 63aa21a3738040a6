import type { Registry } from 'prom-client';
import { declareIn } from '../../core/metrics/declare.ts';

/** Declares whether this instance is notified of changes at once. Only for several instances on PostgreSQL. */
export function declareListener(registry: Registry, listener: { isListening: () => boolean }): void {
  declareIn(registry).gauge({
    name: 'deskside_instances_listening',
    help: 'Whether notifications of other instances arrive: 0 while their changes are only read four times a second.',
    collect() {
      this.set(Number(listener.isListening()));
    },
  });
}

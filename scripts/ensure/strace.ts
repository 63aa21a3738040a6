import { canTrace } from '../../e2e/faults/cuts/record.ts';
import { ensure } from './packages.ts';

await ensure([{ name: 'strace, and the right to use it', isThere: canTrace, packages: ['strace'] }], {
  isOptional: true,
});

import fc from 'fast-check';

// The same cases at each run; `FUZZ_SEED` names others.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1) });

import fc from 'fast-check';

// Each run has the same cases. `FUZZ_SEED` selects others.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1) });

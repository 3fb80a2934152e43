import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What the tests' ledgers leave beside their homes is not this user's.
const state = mkdtempSync(join(tmpdir(), 'tacet-state-'));
process.env.XDG_STATE_HOME = state;
process.once('exit', () => rmSync(state, { recursive: true, force: true }));

// A few rounds of killing a pool with every run; `make test-faults` asks for more.
process.env.TACET_FAULT_ROUNDS ??= '5';

// Two workers share two processors; threads of kernels beside them would wait for each other.
process.env.TACET_THREADS ??= '1';

export default {
  rootDir: '.',
  testMatch: ['<rootDir>/dist/test/**/*.test.js'],
  testEnvironment: 'node',
  setupFilesAfterEnv: ['<rootDir>/dist/test/services/answers-as-described.js'],
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/build/package'],
  testTimeout: 240_000,
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/longest-first.js',
  // Modules of finished files stay in a worker; close to its limit it would do little but collect garbage.
  workerIdleMemoryLimit: '1500MB',
  reporters: ['default', '<rootDir>/dist/test/plain-summary.js'],
};

// A few rounds of killing a pool with every run; `make test-faults` asks for more.
process.env.TACET_FAULT_ROUNDS ??= '5';

export default {
  rootDir: '.',
  testMatch: ['<rootDir>/dist/test/**/*.test.js'],
  testEnvironment: 'node',
  transform: {},
  testTimeout: 60_000,
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/dist/test/plain-summary.js'],
};

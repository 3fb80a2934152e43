export default {
  rootDir: '.',
  testMatch: ['<rootDir>/dist/test/**/*.test.js'],
  // Minutes of killing processes: `make test-faults` asks for them.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.TACET_FAULT_ROUNDS ? [] : ['/faults/']),
  ],
  testEnvironment: 'node',
  transform: {},
  testTimeout: 60_000,
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/dist/test/plain-summary.js'],
};

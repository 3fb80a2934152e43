export default {
  rootDir: '.',
  testMatch: ['<rootDir>/dist/test/**/*.test.js'],
  testEnvironment: 'node',
  transform: {},
  testTimeout: 60_000,
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/dist/test/plain-summary.js'],
};

import { afterAll } from '@jest/globals';

type End = () => unknown;

const running = new Set<End>();

/**
 * Ends, after the tests of a file, what one of them started and did not end: a test that fails, or a hook
 * that takes too long, must leave no process and no server, or Jest would never exit. Returns how to say
 * that it was ended.
 */
export function endAfterTests(end: End): () => void {
  running.add(end);
  return () => void running.delete(end);
}

afterAll(async () => {
  await Promise.all([...running].map((end) => end()));
});

import { describe, expect, test } from '@jest/globals';
import { inNewProcess } from './new-process.js';

const BACKEND = new URL('../../../models/tensor/backend.js', import.meta.url);

function outcome(environment: Readonly<Record<string, string>>) {
  return inNewProcess(BACKEND, "useBackend('native')", environment);
}

describe('useBackend says at once what is wrong in the environment', () => {
  test.each([
    ['TACET_ISA', 'sse', 'expected avx512, avx2 or portable'],
    ['TACET_THREADS', '2.5', 'expected 1 to 256'],
    ['TACET_THREADS', '257', 'expected 1 to 256'],
  ])('%s=%s', (name, value, expected) => {
    const { code, message } = outcome({ [name]: value });
    expect(code).toBe('usage');
    expect(message).toMatch(new RegExp(`^${name} is '${value}'; ${expected}`));
  });

  test('and takes empty variables for unset ones', () => {
    const empty = { TACET_ISA: '', TACET_THREADS: '', TACET_CHECK_NUMERICS: '', TACET_BACKEND: '' };
    expect(outcome(empty)).toEqual({ value: 'native' });
  });
});

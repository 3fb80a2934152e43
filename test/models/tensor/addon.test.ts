import { describe, expect, test } from '@jest/globals';
import { hasAddon, nativeFunction } from '../../../models/tensor/addon.js';

describe('the native addon', () => {
  test('is found from the compiled files', () => {
    expect(hasAddon()).toBe(true);
  });

  test('sets the number of threads and says how many there were', () => {
    const before = nativeFunction('threadCount')();
    expect(nativeFunction('setThreadCount')(3)).toBe(before);
    expect(nativeFunction('threadCount')()).toBe(3);
    nativeFunction('setThreadCount')(before as number);
  });

  test('tells how to build it again when a function is missing', () => {
    expect(() => nativeFunction('noSuchFunction')).toThrow(/noSuchFunction.*make build/);
  });

  test('refuses an argument of the wrong type with an error that names the function', () => {
    expect(() => nativeFunction('setThreadCount')('three')).toThrow(
      'setThreadCount: argument 0 must be a number',
    );
  });
});

import { describe, expect, test } from '@jest/globals';
import { bundleName, bundleVersion, languageTag } from '../../../services/cli/bundle-options.js';

describe('the name and the version of a bundle to be', () => {
  test.each(['certified', 'a-1', '9'])('may be named %s', (name) => {
    expect(bundleName(name)).toBe(name);
  });

  test.each(['', '-a', 'Certified', 'a.b', 'a b', 'x'.repeat(64)])(
    'may not be named "%s"',
    (name) => {
      expect(() => bundleName(name)).toThrow('lower case letters');
    },
  );

  test('has a version of three numbers', () => {
    expect(bundleVersion('1.0.12')).toBe('1.0.12');
    for (const version of ['1', '1.0', 'v1.0.0', '1.0.0-rc1'])
      expect(() => bundleVersion(version)).toThrow('major.minor.patch');
  });

  test('has a language by its tag', () => {
    expect([languageTag('ES'), languageTag('en-gb')]).toEqual(['es', 'en-GB']);
    for (const tag of ['', 'e', 'Spanish!', 'spanish'])
      expect(() => languageTag(tag)).toThrow('BCP 47');
  });
});

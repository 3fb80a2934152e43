import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../shared-data.js';

const SPEAKS = 'echo compiling; echo "a.cc:1: warning: odd" >&2;';

function quietly(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'setup', 'quietly'), args, {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('a compile', () => {
  test('of code that is not ours prints nothing where it ends well', () => {
    expect(quietly('sh', '-c', SPEAKS)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('of our own code prints the warnings, and them alone', () => {
    expect(quietly('--warnings', 'sh', '-c', SPEAKS)).toEqual({
      status: 0,
      stdout: '',
      stderr: 'a.cc:1: warning: odd\n',
    });
  });

  test.each([[[]], [['--warnings']]])('prints all it said where it fails %j', (options) => {
    const { status, stderr } = quietly(...options, 'sh', '-c', `${SPEAKS} exit 3`);
    expect(status).toBe(3);
    expect(stderr).toContain('compiling\n');
    expect(stderr).toContain('a.cc:1: warning: odd\n');
    expect(stderr).toMatch(/failed: sh -c .* \(status 3, in .*\)\n$/s);
  });
});

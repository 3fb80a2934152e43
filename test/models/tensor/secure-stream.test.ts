import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { instructionSets } from './native-session.js';
import { inNewProcess } from './new-process.js';

const NORMALS = new URL('../../../models/tensor/secure-normals.js', import.meta.url);
const NOISE = new URL('./secure-noise-draw.js', import.meta.url);
const SHUFFLE = new URL(
  '../../../services/institution/release/segments/secure-shuffle.js',
  import.meta.url,
);
const WORDS_A_GROUP = 256;

describe.each(instructionSets())('the native ChaCha20 with %s', (isa) => {
  test("makes the words of OpenSSL's, sixteen blocks beside one another", () => {
    const key = Uint32Array.from({ length: 8 }, (_, i) => 0x9e3779b9 * (i + 1));
    const groups = 40;
    const cipher = createCipheriv('chacha20', new Uint8Array(key.buffer), Buffer.alloc(16));
    const stream = cipher.update(Buffer.alloc(4 * WORDS_A_GROUP * groups));
    const expected = Uint32Array.from({ length: WORDS_A_GROUP * groups }, (_, i) => {
      const [group, word, block] = [Math.floor(i / 256), Math.floor((i % 256) / 16), i % 16];
      return stream.readUInt32LE(4 * (256 * group + 16 * block + word));
    });
    const before = nativeFunction('useIsa')(isa);
    const whole = new Uint32Array(expected.length);
    nativeFunction('chachaWords')(key, 0, whole);
    const rest = new Uint32Array(WORDS_A_GROUP * 3 - 5);
    nativeFunction('chachaWords')(key, 37, rest);
    nativeFunction('useIsa')(before);
    expect(whole).toEqual(expected);
    expect(rest).toEqual(expected.subarray(WORDS_A_GROUP * 37, WORDS_A_GROUP * 40 - 5));
  });
});

test('a key of another length is refused', () => {
  const words = new Uint32Array(1);
  expect(() => nativeFunction('chachaWords')(new Uint32Array(7), 0, words)).toThrow(
    'chachaWords: key must be of length 8, found 7',
  );
});

/** A process in which the kernel's generator is what `change` makes of it. */
function withGenerator(change: string, backend = 'native'): Record<string, string> {
  const script = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    const isDevice = (path) => path === '/dev/urandom';
    ${change}
    syncBuiltinESMExports();`;
  const url = `data:text/javascript,${encodeURIComponent(script)}`;
  return { NODE_OPTIONS: `--import ${url}`, TACET_BACKEND: backend };
}

const SAME_BYTES = `
  const { readSync } = fs;
  fs.readSync = (fd, to, ...rest) => fs.fstatSync(fd).isCharacterDevice()
    ? to.fill(7).length : readSync(fd, to, ...rest);`;
const STOPPED_CLOCKS = 'process.hrtime.bigint = () => 1n; Date.now = () => 1;';
const MISSING =
  'const { openSync } = fs; fs.openSync = (path, ...rest) => openSync(isDevice(path) ? "/dev/none" : path, ...rest);';
const REPLACED =
  'const { openSync } = fs; fs.openSync = (path, ...rest) => openSync(isDevice(path) ? "/dev/zero" : path, ...rest);';
const SHORT =
  'const { readSync } = fs; fs.readSync = (fd, to, ...rest) => fs.fstatSync(fd).isCharacterDevice() ? 3 : readSync(fd, to, ...rest);';

describe('the noise of a release', () => {
  const draw = 'secureNormals(6).join()';
  const once = (environment: Record<string, string>) => inNewProcess(NORMALS, draw, environment);

  test("is all of it from the kernel's generator: where that repeats itself and time stands still, so does the noise", () => {
    const frozen = withGenerator(SAME_BYTES + STOPPED_CLOCKS);
    expect(once(frozen).value).toEqual(once(frozen).value);
    for (const backend of ['native', 'cpu']) {
      const added = () =>
        inNewProcess(NOISE, 'draw()', withGenerator(SAME_BYTES + STOPPED_CLOCKS, backend)).value;
      expect(added()).toEqual(added());
    }
  });

  test('differs in two copies of a machine whose kernel was told of the copy, or whose clocks run', () => {
    const copied = withGenerator(STOPPED_CLOCKS);
    expect(once(copied).value).not.toEqual(once(copied).value);
    const untold = withGenerator(SAME_BYTES);
    expect(once(untold).value).not.toEqual(once(untold).value);
  });

  test.each([
    ['missing', MISSING],
    ['another device', REPLACED],
    ['short of bytes', SHORT],
  ])('is not drawn where the generator is %s', (_, change) => {
    const refused = {
      code: 'randomness-missing',
      message: expect.stringMatching(/\/dev\/urandom/),
    };
    expect(once(withGenerator(change))).toEqual(refused);
    expect(inNewProcess(NOISE, 'draw()', withGenerator(change, 'cpu'))).toEqual(refused);
    expect(inNewProcess(SHUFFLE, 'secureShuffle([1, 2])', withGenerator(change))).toEqual(refused);
  });
});

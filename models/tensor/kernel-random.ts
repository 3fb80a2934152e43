import { fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { TacetError } from '../../proto/errors.js';

const DEVICE = '/dev/urandom';
/** Its number on Linux, major 1 and minor 9 (man 4 urandom): a container can put any file in its place. */
const LINUX_NUMBER = 0x109;

/** Stays open: thousands of keys are read. */
let device: number | undefined;

/**
 * Bytes of the kernel's generator, read at this moment. It is the kernel that learns when a virtual
 * machine was copied or put back to an earlier state, and starts anew (VMGENID; Linux 5.18 and later);
 * a generator in this process, such as OpenSSL's behind `node:crypto`, is copied with its state and
 * goes on alike in both. Linux, macOS and the BSDs have the device. Throws `randomness-missing`
 * anywhere else, and takes no other source instead.
 */
export function kernelRandom(bytes: number): Buffer {
  const found = Buffer.alloc(bytes);
  try {
    device ??= openSync(DEVICE, 'r');
    // Each time: what was closed elsewhere by mistake could be another file by now.
    requireGenerator(fstatSync(device));
    const read = readSync(device, found);
    if (read !== bytes) throw new Error(`gave ${read} of ${bytes} bytes`);
    return found;
  } catch (cause) {
    throw new TacetError(
      'randomness-missing',
      `${DEVICE}: ${(cause as Error).message}; no noise is drawn without the kernel's generator`,
      { cause },
    );
  }
}

function requireGenerator(found: Stats): void {
  if (!found.isCharacterDevice() || (process.platform === 'linux' && found.rdev !== LINUX_NUMBER))
    throw new Error('is not the generator of the kernel');
}

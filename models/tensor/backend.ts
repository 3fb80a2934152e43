import { TacetError } from '../../proto/errors.js';
import { nativeFunction } from './addon.js';
import { checksEveryOp } from './finite-check.js';
import { NativeBackend, PRECISIONS, type Precision } from './native-backend.js';
import { registerNativeKernels } from './native-kernels/register.js';
import * as tf from './tf.js';

const BACKENDS = ['native', 'cpu', 'tensorflow'] as const;
export type BackendName = (typeof BACKENDS)[number];

/** The optional peers that bring the `tensorflow` backend, in the order in which they are tried. */
const TENSORFLOW_PEERS = ['@tensorflow/tfjs-node-gpu', '@tensorflow/tfjs-node'];

/**
 * Makes `name` the backend of every tensor op from here on and returns it. Without a name the
 * environment variable TACET_BACKEND chooses, else `native` runs.
 *
 * `precision` is that of the products of recurrent layers in passes without a gradient: `bfloat16`
 * is faster and coarser, and f is then what those products give, for releases and bounds alike.
 * Without it TACET_PRECISION chooses, else `float32`. Training is always in float32.
 *
 * Throws `usage` for an unknown name or precision and, for `native`, where TACET_ISA, TACET_THREADS or
 * TACET_CHECK_NUMERICS makes no sense; `addon-missing` where the native kernels are not built; and
 * `backend-missing` where the tensorflow backend is not installed or does not load, or nothing
 * multiplies bfloat16.
 */
export async function useBackend(
  name = process.env.TACET_BACKEND || 'native',
  precision = process.env.TACET_PRECISION || 'float32',
): Promise<BackendName> {
  if (!isOneOf(BACKENDS, name)) throw unknown('backend', name, BACKENDS);
  if (!isOneOf(PRECISIONS, precision)) throw unknown('precision', precision, PRECISIONS);
  if (name === 'native') registerNative();
  if (name === 'tensorflow') await importTensorflow();
  if (precision === 'bfloat16' && !(name === 'native' && nativeFunction('hasBfloat16')())) {
    throw new TacetError(
      'backend-missing',
      'bfloat16 needs the native backend and a processor with AVX-512 BF16; leave TACET_PRECISION unset',
    );
  }
  await tf.setBackend(name);
  const backend = tf.backend();
  if (backend instanceof NativeBackend) backend.precision = precision;
  return name;
}

/** The precision of passes without a gradient. */
export function precisionInUse(): Precision {
  const backend = tf.backend();
  return backend instanceof NativeBackend ? backend.precision : 'float32';
}

/** Throws `config-invalid` where passes are coarser than float32; `what` cannot be so. */
export function requireFloat32(what: string): void {
  const precision = precisionInUse();
  if (precision === 'float32') return;
  throw new TacetError(
    'config-invalid',
    `${what} in float32, which limits are of, not in ${precision}; leave TACET_PRECISION unset`,
  );
}

/** Computes in float32, whatever the precision of other passes. */
export function inFloat32<T>(compute: () => T): T {
  const backend = tf.backend();
  if (!(backend instanceof NativeBackend)) return compute();
  const { precision } = backend;
  backend.precision = 'float32';
  try {
    return compute();
  } finally {
    backend.precision = precision;
  }
}

function unknown(what: string, name: string, known: readonly string[]): TacetError {
  return new TacetError(
    'usage',
    `there is no ${what} '${name}'; choose one of ${known.join(', ')}`,
  );
}

function isOneOf<T extends string>(known: readonly T[], name: string): name is T {
  return (known as readonly string[]).includes(name);
}

function registerNative(): void {
  if (tf.findBackendFactory('native')) return;
  readEnvironment();
  tf.copyRegisteredKernels('cpu', 'native');
  registerNativeKernels();
  tf.registerBackend('native', () => new NativeBackend());
}

/** The addon reads TACET_ISA and TACET_THREADS, and says what is wrong with them, where first asked. */
function readEnvironment(): void {
  checksEveryOp();
  for (const name of ['isa', 'threadCount'] as const) {
    const ask = nativeFunction(name);
    try {
      ask();
    } catch (cause) {
      throw new TacetError('usage', (cause as Error).message.replace(`${name}: `, ''), { cause });
    }
  }
}

async function importTensorflow(): Promise<void> {
  for (const peer of TENSORFLOW_PEERS) {
    try {
      await import(peer);
      return;
    } catch (error) {
      if (isMissing(error, peer)) continue;
      const [reason] = (error as Error).message.split('\n');
      throw new TacetError(
        'backend-missing',
        `${peer} is installed but does not load (${reason}); install it again, or choose another backend`,
        { cause: error },
      );
    }
  }
  throw new TacetError(
    'backend-missing',
    `the tensorflow backend is not installed; run 'npm install ${TENSORFLOW_PEERS[1]}', or ` +
      `'npm install ${TENSORFLOW_PEERS[0]}' for a CUDA GPU, or choose another backend`,
  );
}

/** Whether it is `peer` itself that is not there, rather than something that it needs. */
function isMissing(error: unknown, peer: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  const notFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return notFound && message.includes(`'${peer}'`);
}

import { TacetError } from '../../proto/errors.js';
import { NativeBackend } from './native-backend.js';
import { registerNativeKernels } from './native-kernels/register.js';
import * as tf from './tf.js';

export const BACKENDS = ['native', 'cpu', 'tensorflow'] as const;
export type BackendName = (typeof BACKENDS)[number];

/** The optional peers that bring the `tensorflow` backend, in the order in which they are tried. */
const TENSORFLOW_PEERS = ['@tensorflow/tfjs-node-gpu', '@tensorflow/tfjs-node'];

/**
 * Makes `name` the backend of every tensor op from here on and returns it. Without a name the
 * environment variable TACET_BACKEND chooses, else `native` runs. Throws `usage` for an unknown
 * name, `addon-missing` where the native kernels are not built and `backend-missing` where the
 * tensorflow backend is not installed.
 */
export async function useBackend(
  name = process.env.TACET_BACKEND || 'native',
): Promise<BackendName> {
  if (!isBackendName(name)) {
    throw new TacetError(
      'usage',
      `there is no backend '${name}'; choose one of ${BACKENDS.join(', ')}`,
    );
  }
  if (name === 'native') registerNative();
  if (name === 'tensorflow') await importTensorflow();
  await tf.setBackend(name);
  return name;
}

function isBackendName(name: string): name is BackendName {
  return (BACKENDS as readonly string[]).includes(name);
}

function registerNative(): void {
  if (tf.findBackendFactory('native')) return;
  tf.copyRegisteredKernels('cpu', 'native');
  registerNativeKernels();
  tf.registerBackend('native', () => new NativeBackend());
}

async function importTensorflow(): Promise<void> {
  for (const peer of TENSORFLOW_PEERS) {
    try {
      await import(peer);
      return;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  throw new TacetError(
    'backend-missing',
    `the tensorflow backend is not installed; run 'npm install ${TENSORFLOW_PEERS[1]}', or ` +
      `'npm install ${TENSORFLOW_PEERS[0]}' for a CUDA GPU, or choose another backend`,
  );
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

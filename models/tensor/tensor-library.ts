/**
 * The packages of the tensor library, by `require`: by `import`, Node reads their megabytes twice more to find what they
 * export, which takes half a second of every process and every thread.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const core: typeof import('@tensorflow/tfjs-core') = require('@tensorflow/tfjs-core');
// Brings the gradients of all ops, which tfjs-core has none of for Node.
require('@tensorflow/tfjs-layers');
export const cpu: typeof import('@tensorflow/tfjs-backend-cpu') = require('@tensorflow/tfjs-backend-cpu');

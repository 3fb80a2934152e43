/** The tensor library as the project uses it, with its methods and without its notices. */
import './chained-ops.js';
import { enableProdMode } from './tensor-library.js';

export type * from '@tensorflow/tfjs-core';
export * from './tensor-library.js';

// All that this mode does in tfjs 4.22 is to keep its notices off standard error.
enableProdMode();

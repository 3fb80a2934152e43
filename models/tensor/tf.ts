import { enableProdMode } from '@tensorflow/tfjs-core';
// Brings the gradients of all ops, which tfjs-core has none of for Node.
import '@tensorflow/tfjs-layers';
import './chained-ops.js';

export * from '@tensorflow/tfjs-core';

// All that this mode does in tfjs 4.22 is to keep its notices off standard error.
enableProdMode();

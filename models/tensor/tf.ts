import { enableProdMode } from '@tensorflow/tfjs';

export * from '@tensorflow/tfjs';

// All that this mode does in tfjs 4.22 is to keep its notices off standard error.
enableProdMode();

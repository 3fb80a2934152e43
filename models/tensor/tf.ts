export * from '@tensorflow/tfjs';

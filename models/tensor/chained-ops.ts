import type { Tensor } from '@tensorflow/tfjs-core';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/abs.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/add.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/arg_max.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/cast.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/clip_by_value.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/div.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/exp.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/expand_dims.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/gather.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/greater.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/is_inf.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/log.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/log1p.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/mat_mul.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/max.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/maximum.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/mean.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/mul.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/neg.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/norm.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/reshape.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/rsqrt.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/sigmoid.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/slice.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/softmax.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/softplus.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/sqrt.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/square.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/squeeze.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/sub.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/sum.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/tanh.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/tile.js';
import type {} from '@tensorflow/tfjs-core/dist/public/chained_ops/transpose.js';
import * as library from './tensor-library.js';

/** Ops that are written as methods, `x.add(y)`: those whose types are imported above, and no others. */
const CHAINED: readonly string[] = [
  'abs',
  'add',
  'argMax',
  'cast',
  'clipByValue',
  'div',
  'exp',
  'expandDims',
  'gather',
  'greater',
  'isInf',
  'log',
  'log1p',
  'matMul',
  'max',
  'maximum',
  'mean',
  'mul',
  'neg',
  'norm',
  'reshape',
  'rsqrt',
  'sigmoid',
  'slice',
  'softmax',
  'softplus',
  'sqrt',
  'square',
  'squeeze',
  'sub',
  'sum',
  'tanh',
  'tile',
  'transpose',
] satisfies readonly (keyof typeof library)[];

type Op = (tensor: Tensor, ...rest: readonly unknown[]) => Tensor;

for (const [name, op] of Object.entries(library)) {
  if (!CHAINED.includes(name)) continue;
  Object.defineProperty(library.Tensor.prototype, name, {
    value(this: Tensor, ...rest: readonly unknown[]) {
      this.throwIfDisposed();
      return (op as Op)(this, ...rest);
    },
    configurable: true,
    writable: true,
  });
}

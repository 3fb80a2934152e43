import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { resourceLimits } from 'node:worker_threads';
import { nativeFunction } from '../../../models/tensor/addon.js';
import type { TaskContext, TaskFactory } from '../../../platform/threads/task.js';
import { TacetError } from '../../../proto/errors.js';

/** Tasks of the worker pool's tests; `data` is a word that they all know. */
export const tasks: TaskFactory<string> = (data) => {
  if (data === 'broken') throw new TacetError('config-invalid', 'the data is broken');
  return {
    greet: (name: string) => ({ value: `${data} ${name}` }),
    double(numbers: Float32Array) {
      const value = numbers.map((x) => 2 * x);
      return { value, transfer: [value.buffer] };
    },
    refuse: () => {
      throw new TacetError('model-unsuitable', 'no such model');
    },
    spin() {
      for (;;);
    },
    /** Until it is asked to stop. */
    async wait(_: unknown, { signal, progress }: TaskContext) {
      progress({ step: 'wait', done: 0 });
      await once(signal, 'abort');
      throw signal.reason;
    },
    open: (path: string) => ({ value: readFileSync(path) }),
    giveWay(by: number) {
      const before = getPriority();
      nativeFunction('giveWay')(by);
      return { value: getPriority() - before };
    },
    youngMegabytes: () => ({ value: resourceLimits.maxYoungGenerationSizeMb }),
    die: () => process.exit(3),
  };
};

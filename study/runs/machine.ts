import { cpus } from 'node:os';
import { NATURAL } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, ofType, type TypeOf } from '../../proto/typed-schema.js';

export const MACHINE = closedObject({
  /** The processor as it names itself. */
  cpu: Type.String(),
  cores: NATURAL,
  /** Threads of one kernel, as TACET_THREADS says; null for one a core. */
  threads: ofType('number', 'null'),
  node: Type.String(),
});

/** Where something was measured: times mean nothing without it. */
export type Machine = TypeOf<typeof MACHINE>;

export function thisMachine(): Machine {
  const cores = cpus();
  const threads = process.env.TACET_THREADS;
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    threads: threads === undefined ? null : Number(threads),
    node: process.version,
  };
}

import type { Transferable } from 'node:worker_threads';

/** What a task gives back; the buffers in `transfer` move to the caller instead of being copied. */
export interface TaskResult<T = unknown> {
  readonly value: T;
  readonly transfer?: readonly Transferable[];
}

/** Work that a worker thread does: its input was copied or moved there. */
export type Task<I = never, T = unknown> = (input: I) => TaskResult<T> | Promise<TaskResult<T>>;

/** What a module of tasks exports as `tasks`; `data` is what the pool was given for its threads. */
export type TaskFactory<D = never> = (
  data: D,
) => Readonly<Record<string, Task>> | Promise<Readonly<Record<string, Task>>>;

/** To a worker thread. */
export interface TaskRequest {
  readonly task: string;
  readonly input: unknown;
}

/** From a worker thread. */
export type TaskAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string | undefined; readonly message: string } };

import type { Transferable } from 'node:worker_threads';
import type { Progress, ProgressEvent } from '../progress.js';
import type { SentError } from './sent-error.js';

/** What a task gives back; the buffers in `transfer` move to the caller instead of being copied. */
export interface TaskResult<T = unknown> {
  readonly value: T;
  readonly transfer?: readonly Transferable[];
}

/** How whoever asked for a task stops it, where it may stop, and hears of it. */
export interface TaskContext {
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Work that a thread does: its input was copied or moved there. */
export type Task<I = never, T = unknown> = (
  input: I,
  context: TaskContext,
) => TaskResult<T> | Promise<TaskResult<T>>;

/** What a module of tasks exports as `tasks`; `data` is what its thread was started with. */
export type TaskFactory<D = never> = (
  data: D,
) => Readonly<Record<string, Task>> | Promise<Readonly<Record<string, Task>>>;

/** To a thread: a task with the number of its call, or that the call shall stop. */
export type TaskRequest =
  | { readonly id: number; readonly task: string; readonly input: unknown }
  | { readonly id: number; readonly abort: SentError };

/** From it. */
export type TaskAnswer =
  | { readonly id: number; readonly progress: ProgressEvent }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError };

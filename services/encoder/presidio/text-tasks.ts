/** What `TextThreads` runs on its threads. */
import type { Task, TaskFactory } from '../../../models/tensor/worker-task.js';
import { type AnonymizeRequest, type AnonymizeResponse, anonymize } from './anonymize.js';
import type { RecognizerResult } from './recognizer-result.js';
import { type Refinement, refine } from './refine.js';

export const tasks: TaskFactory = () => {
  const anonymizing: Task<AnonymizeRequest, AnonymizeResponse> = (request) => ({
    value: anonymize(request),
  });
  const refining: Task<Refinement, RecognizerResult[][]> = (refinement) => ({
    value: refine(refinement),
  });
  const ready: Task = () => ({ value: undefined });
  return { anonymize: anonymizing, refine: refining, ready };
};

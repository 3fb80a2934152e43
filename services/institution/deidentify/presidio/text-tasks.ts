/** What `TextThreads` runs on its threads. */
import type { Task, TaskFactory } from '../../../../platform/threads/task.js';
import { type AnonymizeRequest, anonymize } from './anonymize.js';
import { type DeanonymizeRequest, deanonymize } from './deanonymize.js';
import type { RecognizerResult } from './recognizer-result.js';
import { type Refinement, refine } from './refine.js';
import type { Rewritten } from './rewrite.js';

export const tasks: TaskFactory = () => {
  const anonymizing: Task<AnonymizeRequest, Rewritten> = (request) => ({
    value: anonymize(request),
  });
  const deanonymizing: Task<DeanonymizeRequest, Rewritten> = (request) => ({
    value: deanonymize(request),
  });
  const refining: Task<Refinement, RecognizerResult[][]> = (refinement) => ({
    value: refine(refinement),
  });
  const ready: Task = () => ({ value: undefined });
  return { anonymize: anonymizing, deanonymize: deanonymizing, refine: refining, ready };
};

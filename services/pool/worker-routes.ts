import type { Store } from '../../pool-store/store.js';
import {
  CLAIMED_JOB,
  FAILURE_CODE,
  JOB_RESULT,
  LEASE_ID,
  TRAINING_JOB,
} from '../../pool-store/training/training-job.js';
import type { ChangedJob } from '../../pool-store/training/training-jobs.js';
import { PATHS } from '../../proto/paths.js';
import { DIGEST } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from '../http/limits.js';
import { type Route, route } from '../http/route.js';
import { requireReserve } from '../http/upload-admission.js';
import { JOB_HANDLERS } from './roles.js';

const claim = validator(
  closedObject({ models: Type.Array(DIGEST, { minItems: 1, maxItems: 100 }) }),
  'request-invalid',
  'the claim',
);
const lease = { lease: LEASE_ID };
const held = validator(closedObject(lease), 'request-invalid', 'the lease');
const finished = validator(
  closedObject({ ...lease, result: JOB_RESULT }),
  'request-invalid',
  'the result',
);
const failed = validator(
  closedObject({ ...lease, code: FAILURE_CODE }),
  'request-invalid',
  'the failure',
);

/**
 * What a worker does with a training job: whoever has not its lease, or not any more, is answered `lease-lost`,
 * 409, and stops.
 */
export function workerRoutes(
  store: Store,
  limits: Pick<Limits, 'jobSeconds' | 'reserveBytes'>,
): Route[] {
  const { trainingJobs } = store;
  const milliseconds = limits.jobSeconds * 1000;
  const changed = async (change: Promise<ChangedJob>) => {
    const { job, dropped } = await change;
    await store.dropUnused(dropped);
    return job;
  };
  const shared = { method: 'post', roles: JOB_HANDLERS, answer: { json: TRAINING_JOB } } as const;
  return [
    route({
      ...shared,
      path: PATHS.trainingJobClaims,
      summary:
        'Claim the oldest free training job of one of these models, whose lease the answer holds',
      body: claim,
      answer: { json: CLAIMED_JOB, others: { 204: { description: 'There is none' } } },
      handle: async ({ body, token, response }) => {
        const asked = { worker: token.name, models: body.models, milliseconds };
        const found = await trainingJobs.claim(asked, () => requireReserve(store, limits));
        if (found) await store.dropUnused(found.dropped);
        if (found?.lease) return { job: found.job, lease: found.lease };
        response.status(204).end();
        return undefined;
      },
    }),
    route({
      ...shared,
      path: PATHS.trainingJobProlongation,
      summary: 'Say that a claimed training job is still worked on',
      body: held,
      handle: ({ params, body }) => trainingJobs.prolong({ id: params.id, ...body }, milliseconds),
    }),
    route({
      ...shared,
      path: PATHS.trainingJobRelease,
      summary: 'Let go of a claimed training job, for another worker',
      body: held,
      handle: ({ params, body }) => trainingJobs.release({ id: params.id, ...body }),
    }),
    route({
      ...shared,
      path: PATHS.trainingJobEnd,
      summary: 'Say what a claimed training job came to; saying it again changes nothing',
      body: finished,
      handle: ({ params, body }) =>
        changed(trainingJobs.finish({ id: params.id, lease: body.lease }, body.result)),
    }),
    route({
      ...shared,
      path: PATHS.trainingJobFailure,
      summary: 'Say by its code why a claimed training job cannot be done',
      body: failed,
      handle: ({ params, body }) =>
        changed(trainingJobs.fail({ id: params.id, lease: body.lease }, body.code)),
    }),
  ];
}

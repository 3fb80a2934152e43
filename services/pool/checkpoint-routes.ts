import type { Store } from '../../pool-store/store.js';
import { LEASE_ID, TRAINING_JOB } from '../../pool-store/training/training-job.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { Type } from '../../proto/typebox.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from '../http/limits.js';
import { type Route, route } from '../http/route.js';
import { sendBytes } from '../http/send-bytes.js';
import { receiveCheckpoint } from './checkpoint-upload.js';
import { ComingCheckpoints } from './coming-checkpoints.js';
import { JOB_HANDLERS } from './roles.js';

const number = Type.String({ pattern: '^[0-9]{1,12}$' });

const checkpointQuery = validator(
  closedObject({ lease: LEASE_ID, epoch: number, bytes: number }),
  'request-invalid',
  'the query',
);

/** The states of trainings after their epochs, from which another worker goes on. */
export function checkpointRoutes(store: Store, limits: Limits): Route[] {
  const { trainingJobs } = store;
  const coming = new ComingCheckpoints(store, limits);
  return [
    route({
      method: 'put',
      path: PATHS.trainingJobCheckpoint,
      summary:
        'Keep the bytes of a checkpoint of a claimed training job, whose SHA-256 the path names; the newest two are kept',
      roles: JOB_HANDLERS,
      query: checkpointQuery,
      takes: { media: 'application/octet-stream' },
      streams: true,
      answer: { json: TRAINING_JOB },
      handle: async ({ params, query, request, token }) => {
        const { id, digest } = params;
        const held = { id, lease: query.lease };
        await trainingJobs.requireHeld(held);
        const upload = { digest, bytes: Number(query.bytes), token };
        await receiveCheckpoint(store, request, upload, coming);
        try {
          const epoch = Number(query.epoch);
          const { job, dropped } = await trainingJobs.addCheckpoint(held, { digest, epoch });
          await store.dropUnused(dropped);
          return job;
        } catch (error) {
          // Of a job that was lost meanwhile.
          await store.dropUnused([digest]);
          throw error;
        }
      },
    }),
    route({
      method: 'get',
      path: PATHS.trainingJobCheckpoint,
      summary: 'The bytes of a checkpoint of a training job',
      roles: JOB_HANDLERS,
      streams: true,
      answer: { media: ['application/octet-stream'] },
      handle: async ({ params: { id, digest }, response }) => {
        const { checkpoints } = await trainingJobs.get(id);
        const checkpoint = checkpoints.find((one) => one.digest === digest);
        if (!checkpoint)
          throw new TacetError('not-found', `training job ${id} has no checkpoint ${digest}`);
        const { bytes } = checkpoint;
        if ((await store.blobs.size(digest)) !== bytes)
          throw new TacetError('store-damaged', `checkpoint ${digest} is lost; use the one before`);
        response.set({
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(bytes),
        });
        await sendBytes(store.blobs.read(digest), response);
      },
    }),
  ];
}

import { loadLabelScheme } from '../../models/text/label-scheme.js';
import { configOfKind } from '../../models/training/configuration/config-of-kind.js';
import { partOf } from '../../pool-store/catalog/listing.js';
import type { Token } from '../../pool-store/members/tokens.js';
import type { Store } from '../../pool-store/store.js';
import { NEW_JOB, TRAINING_JOB } from '../../pool-store/training/training-job.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { Type } from '../../proto/typebox.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from '../http/limits.js';
import { answerPage, PAGE_HEADERS, pageQuery } from '../http/list-page.js';
import { type Route, route } from '../http/route.js';
import { requireReserve } from '../http/upload-admission.js';
import { JOB_HANDLERS, SNAPSHOT_READERS } from './roles.js';

const newJob = validator(NEW_JOB, 'request-invalid', 'the training job');

/** Trainings to be done elsewhere, for whoever wants them done. */
export function jobRoutes(
  store: Store,
  limits: Pick<Limits, 'waitingJobs' | 'reserveBytes'>,
): Route[] {
  const { trainingJobs } = store;
  return [
    route({
      method: 'get',
      path: PATHS.trainingJobs,
      summary: 'List training jobs, oldest first, in pages',
      roles: SNAPSHOT_READERS,
      query: pageQuery,
      answer: { json: Type.Array(TRAINING_JOB), headers: PAGE_HEADERS },
      handle: (call) =>
        answerPage(
          call,
          (part) => partOf(part, (each) => trainingJobs.list(each)),
          ({ created, id }) => ({ time: created, id }),
        ),
    }),
    route({
      method: 'post',
      path: PATHS.trainingJobs,
      summary: 'Ask for a training on a snapshot, which a worker then does',
      roles: JOB_HANDLERS,
      body: newJob,
      success: 201,
      answer: { json: TRAINING_JOB },
      handle: ({ body, token }) => {
        if (body.scheme !== undefined) loadLabelScheme(body.scheme);
        // Whole, so that a worker of a later version trains by the defaults of today.
        const config = { ...configOfKind(body.config, 'the configuration', 'pooled') };
        return trainingJobs.create({ ...body, config }, token.name, limits.waitingJobs, () =>
          requireReserve(store, limits),
        );
      },
    }),
    route({
      method: 'get',
      path: PATHS.trainingJob,
      summary: 'A training job, how far it is, and what came of it',
      roles: SNAPSHOT_READERS,
      answer: { json: TRAINING_JOB },
      handle: ({ params }) => trainingJobs.get(params.id),
    }),
    route({
      method: 'delete',
      path: PATHS.trainingJob,
      summary: "Cancel a training job of one's own, or as an administrator any",
      roles: JOB_HANDLERS,
      answer: { json: TRAINING_JOB },
      handle: async ({ params, token }) => {
        await requireOwn(store, params.id, token);
        const { job, dropped } = await trainingJobs.cancel(params.id, token.name);
        await store.dropUnused(dropped);
        return job;
      },
    }),
  ];
}

async function requireOwn({ trainingJobs }: Store, id: string, { role, name }: Token) {
  const { asker } = await trainingJobs.get(id);
  if (role === 'admin' || asker === name) return;
  throw new TacetError(
    'forbidden',
    `training job ${id} is of ${asker}; it or an administrator may cancel it`,
  );
}

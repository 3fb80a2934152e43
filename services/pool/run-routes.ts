import { partOf } from '../../pool-store/catalog/listing.js';
import type { Store } from '../../pool-store/store.js';
import { NEW_RUN, runPlace, TRAINING_RUN } from '../../pool-store/training/training-runs.js';
import { PATHS } from '../../proto/paths.js';
import { Type } from '../../proto/typebox.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from '../http/limits.js';
import { answerPage, PAGE_HEADERS, pageQuery } from '../http/list-page.js';
import { type Route, route } from '../http/route.js';
import { requireReserve } from '../http/upload-admission.js';
import { SNAPSHOT_READERS } from './roles.js';

const newRun = validator(NEW_RUN, 'request-invalid', 'the training run');

/** Which training runs used a snapshot: who withdraws asks which models learned from it. */
export function runRoutes(
  store: Store,
  limits: Pick<Limits, 'snapshotRuns' | 'reserveBytes'>,
): Route[] {
  const { trainingRuns } = store;
  return [
    route({
      method: 'get',
      path: PATHS.snapshotRuns,
      summary:
        'The training runs that used a snapshot, also one that was withdrawn since, oldest first, in pages',
      roles: SNAPSHOT_READERS,
      query: pageQuery,
      answer: { json: Type.Array(TRAINING_RUN), headers: PAGE_HEADERS },
      handle: (call) =>
        answerPage(
          call,
          (part) => partOf(part, (each) => trainingRuns.of(call.params.id, each)),
          runPlace,
        ),
    }),
    route({
      method: 'post',
      path: PATHS.snapshotRuns,
      summary: 'Say that a training run uses a snapshot; saying it again changes nothing',
      roles: ['consumer', 'admin'],
      body: newRun,
      success: 201,
      answer: { json: TRAINING_RUN },
      handle: ({ params, body, token }) =>
        trainingRuns.register(params.id, body, token.name, limits.snapshotRuns, () =>
          requireReserve(store, limits),
        ),
    }),
  ];
}

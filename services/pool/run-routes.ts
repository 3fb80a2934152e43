import { Type } from 'typebox';
import type { Store } from '../../pool-store/store.js';
import { NEW_RUN, TRAINING_RUN } from '../../pool-store/training/training-runs.js';
import { PATHS } from '../../proto/paths.js';
import { validator } from '../../proto/validator.js';
import { type Route, route } from '../http/route.js';
import { SNAPSHOT_READERS } from './roles.js';

const newRun = validator(NEW_RUN, 'request-invalid', 'the training run');

/** Which training runs used a snapshot: who withdraws asks which models learned from it. */
export function runRoutes({ trainingRuns }: Store): Route[] {
  return [
    route({
      method: 'get',
      path: PATHS.snapshotRuns,
      summary: 'The training runs that used a snapshot, also one that was withdrawn since',
      roles: SNAPSHOT_READERS,
      answer: { json: Type.Array(TRAINING_RUN) },
      handle: ({ params }) => trainingRuns.of(params.id),
    }),
    route({
      method: 'post',
      path: PATHS.snapshotRuns,
      summary: 'Say that a training run uses a snapshot; saying it again changes nothing',
      roles: ['consumer', 'admin'],
      body: newRun,
      success: 201,
      answer: { json: TRAINING_RUN },
      handle: ({ params, body, token }) => trainingRuns.register(params.id, body, token.name),
    }),
  ];
}

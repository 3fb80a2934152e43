import { Type } from 'typebox';
import { SNAPSHOT_FILTER } from '../../pool-store/snapshots.js';
import type { Store } from '../../pool-store/store.js';
import { PATHS } from '../../proto/paths.js';
import { closedObject, oneOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Limits } from '../http/limits.js';
import { type Route, route } from '../http/route.js';
import { SNAPSHOT_MAKERS, SNAPSHOT_READERS } from './roles.js';
import { acceptedFormat, SENTENCE_FORMATS, type SentenceFormat } from './sentence-formats.js';
import { SentenceStreams } from './sentence-streams.js';

const filter = validator(SNAPSHOT_FILTER, 'request-invalid', 'the snapshot');

const sentencesQuery = validator(
  closedObject({
    format: Type.Optional(oneOf(Object.keys(SENTENCE_FORMATS) as SentenceFormat[])),
    seed: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$' })),
    /** Only the part whose contributions were made with so many copies of each note. */
    copies: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
  }),
  'request-invalid',
  'the query',
);

export function snapshotRoutes(store: Store, { readings }: Limits): Route[] {
  const { snapshots } = store;
  const streams = new SentenceStreams(store.blobs, readings);
  return [
    route({
      method: 'get',
      path: PATHS.snapshots,
      summary: 'List snapshots',
      roles: SNAPSHOT_READERS,
      handle: () => snapshots.list(),
    }),
    route({
      method: 'post',
      path: PATHS.snapshots,
      summary: 'Freeze the contributions that match; the same ones give the same snapshot',
      roles: SNAPSHOT_MAKERS,
      body: filter,
      success: 201,
      handle: ({ body }) => snapshots.create(body),
    }),
    route({
      method: 'get',
      path: PATHS.snapshot,
      summary: 'What a snapshot holds, and the signed contributions that it comes from',
      roles: SNAPSHOT_READERS,
      handle: ({ params }) => ({
        ...snapshots.getReadable(params.id),
        provenance: snapshots.provenanceOf(params.id),
      }),
    }),
    route({
      method: 'get',
      path: PATHS.snapshotDifference,
      summary: 'What another snapshot holds more and less, also where one was withdrawn in part',
      roles: SNAPSHOT_READERS,
      handle: ({ params }) => snapshots.diff(params.id, params.other),
    }),
    route({
      method: 'get',
      path: PATHS.snapshotSentences,
      summary:
        'Every sentence of a snapshot, shuffled by the seed, in the format of the query or of Accept; ' +
        'from a byte on by Range',
      roles: ['consumer', 'admin'],
      query: sentencesQuery,
      streams: true,
      handle: ({ params, query: { format, seed = '0', copies }, request, response }) => {
        const part = copies === undefined ? undefined : Number(copies);
        const query = {
          snapshot:
            part === undefined
              ? snapshots.getReadable(params.id)
              : snapshots.partOf(params.id, part),
          copies: part,
          format: format ?? acceptedFormat(request),
          seed: Number(seed),
        };
        return streams.answer(query, request, response);
      },
    }),
  ];
}

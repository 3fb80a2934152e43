import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readWindows } from '../../pool-store/snapshot-reader.js';
import type { SnapshotFilter } from '../../pool-store/snapshots.js';
import type { Store } from '../../pool-store/store.js';
import { DIGEST, NAME } from '../../proto/schemas.js';
import { validator } from '../../proto/validator.js';
import { type Call, type Route, route } from '../http/route.js';
import { SENTENCE_FORMATS, type SentenceFormat } from './sentence-formats.js';

const filter = validator<SnapshotFilter>(
  {
    type: 'object',
    additionalProperties: false,
    properties: {
      model: DIGEST,
      labelScheme: DIGEST,
      institutions: { type: 'array', minItems: 1, maxItems: 1000, items: NAME },
    },
  },
  'request-invalid',
  'the snapshot',
);

interface SentencesQuery {
  readonly format?: SentenceFormat;
  readonly seed?: string;
}

const sentencesQuery = validator<SentencesQuery>(
  {
    type: 'object',
    additionalProperties: false,
    properties: {
      format: { type: 'string', enum: Object.keys(SENTENCE_FORMATS) },
      seed: { type: 'string', pattern: '^[0-9]{1,15}$' },
    },
  },
  'request-invalid',
  'the query',
);

export function snapshotRoutes(store: Store): Route[] {
  const { snapshots } = store;
  return [
    route({
      method: 'get',
      path: '/v1/snapshots',
      summary: 'List snapshots',
      roles: ['auditor', 'consumer', 'admin'],
      handle: () => snapshots.list(),
    }),
    route({
      method: 'post',
      path: '/v1/snapshots',
      summary: 'Freeze the contributions that match; the same ones give the same snapshot',
      roles: ['consumer', 'admin'],
      body: filter,
      success: 201,
      handle: ({ body }) => snapshots.create(body),
    }),
    route({
      method: 'get',
      path: '/v1/snapshots/{id}',
      summary: 'What a snapshot holds',
      roles: ['auditor', 'consumer', 'admin'],
      handle: ({ params }) => snapshots.getReadable(params.id),
    }),
    route({
      method: 'get',
      path: '/v1/snapshots/{id}/sentences',
      summary: 'Every sentence of a snapshot, shuffled by the seed',
      roles: ['consumer', 'admin'],
      query: sentencesQuery,
      handle: (call) => streamSentences(store, call),
    }),
  ];
}

async function streamSentences(
  { snapshots, blobs }: Store,
  { params, query, response }: Call<unknown, SentencesQuery>,
): Promise<void> {
  const snapshot = snapshots.getReadable(params.id);
  const { type, write } = SENTENCE_FORMATS[query.format ?? 'protobuf'];
  const windows = readWindows(blobs, snapshot, Number(query.seed ?? 0));
  response.set({ 'Content-Type': type, ETag: `"${snapshot.id}"` });
  await pipeline(Readable.from(write(snapshot, windows)), response).catch((error) => {
    // Who stops reading in the middle is no failure of the server.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

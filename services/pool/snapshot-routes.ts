import {
  PROVENANCE,
  SNAPSHOT,
  SNAPSHOT_DIFF,
  SNAPSHOT_FILTER,
} from '../../pool-store/snapshots/snapshot.js';
import type { Store } from '../../pool-store/store.js';
import { PATHS } from '../../proto/paths.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, oneOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { Answer } from '../http/answer.js';
import type { Limits } from '../http/limits.js';
import { answerPage, PAGE_HEADERS, pageQuery } from '../http/list-page.js';
import { type Route, route } from '../http/route.js';
import { requireReserve } from '../http/upload-admission.js';
import { CROISSANT, croissantOf } from './croissant.js';
import { SNAPSHOT_MAKERS, SNAPSHOT_READERS } from './roles.js';
import { acceptedFormat, SENTENCE_FORMATS, type SentenceFormat } from './sentence-formats.js';
import { SentenceStreams } from './sentence-streams.js';

/** On a page of snapshots, of all together: 7 MB of digests. */
const LISTED_SEGMENTS = 100_000;

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

const SNAPSHOT_DETAILS = closedObject(
  { ...SNAPSHOT.properties, provenance: Type.Array(PROVENANCE) },
  { title: 'SnapshotDetails' },
);

const SENTENCES: Answer = {
  media: Object.values(SENTENCE_FORMATS).map(({ type }) => type),
  others: { 206: { description: 'From the byte on that Range names' } },
};

export function snapshotRoutes(store: Store, limits: Limits): Route[] {
  const { snapshots, contributions } = store;
  const streams = new SentenceStreams(store, limits.readings, store.closing);
  return [
    route({
      method: 'get',
      path: PATHS.snapshots,
      summary: 'List snapshots, oldest first, in pages',
      roles: SNAPSHOT_READERS,
      query: pageQuery,
      answer: { json: Type.Array(SNAPSHOT), headers: PAGE_HEADERS },
      handle: (call) =>
        answerPage(
          call,
          (part) => snapshots.part(part, LISTED_SEGMENTS),
          ({ created, id }) => ({ time: created, id }),
        ),
    }),
    route({
      method: 'post',
      path: PATHS.snapshots,
      summary: 'Freeze the contributions that match; the same ones give the same snapshot',
      roles: SNAPSHOT_MAKERS,
      body: filter,
      success: 201,
      answer: { json: SNAPSHOT },
      handle: ({ body }) => snapshots.create(body, () => requireReserve(store, limits)),
    }),
    route({
      method: 'get',
      path: PATHS.snapshot,
      summary: 'What a snapshot holds, and the signed contributions that it comes from',
      roles: SNAPSHOT_READERS,
      answer: { json: SNAPSHOT_DETAILS },
      handle: async ({ params }) => ({
        ...(await snapshots.getReadable(params.id)),
        provenance: await snapshots.provenanceOf(params.id),
      }),
    }),
    route({
      method: 'get',
      path: PATHS.snapshotCroissant,
      summary:
        'What a snapshot holds, in the JSON-LD of Croissant; addresses are relative to its own',
      roles: SNAPSHOT_READERS,
      answer: { json: CROISSANT },
      handle: async ({ params }) => {
        const provenance = await snapshots.provenanceOf(params.id);
        const terms: string[] = [];
        for (const { contribution } of provenance)
          terms.push((await contributions.manifestOf(contribution)).terms);
        return croissantOf(await snapshots.getReadable(params.id), provenance, terms);
      },
    }),
    route({
      method: 'get',
      path: PATHS.snapshotDifference,
      summary: 'What another snapshot holds more and less, also where one was withdrawn in part',
      roles: SNAPSHOT_READERS,
      answer: { json: SNAPSHOT_DIFF },
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
      answer: SENTENCES,
      handle: async ({ params, query, token, signal, request, response }) => {
        const { format, seed = '0', copies } = query;
        const part = copies === undefined ? undefined : Number(copies);
        const asked = {
          token: token.id,
          signal,
          snapshot:
            part === undefined
              ? await snapshots.getReadable(params.id)
              : await snapshots.partOf(params.id, part),
          copies: part,
          format: format ?? acceptedFormat(request),
          seed: Number(seed),
        };
        return streams.answer(asked, request, response);
      },
    }),
  ];
}

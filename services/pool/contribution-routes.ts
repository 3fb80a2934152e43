import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import { partOf } from '../../pool-store/catalog/listing.js';
import { CONTRIBUTION } from '../../pool-store/contributions/contribution-records.js';
import { SEGMENT_RECORD, type SegmentRecord } from '../../pool-store/segments/segment-records.js';
import type { Store } from '../../pool-store/store.js';
import { USE } from '../../pool-store/training/training-runs.js';
import { type ContributionManifest, openContribution } from '../../proto/contribution.js';
import { ENVELOPE, parseEnvelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { COUNT } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject } from '../../proto/typed-schema.js';
import { answerPage, PAGE_HEADERS, pageQuery } from '../http/list-page.js';
import { type Route, route } from '../http/route.js';
import { type ContributionAccess, scopeOf } from './contribution-access.js';
import { requireNotRevoked } from './model-standing.js';
import { checkNoise } from './noise-check.js';
import type { ReplayCheck } from './replay-check.js';
import { CONTRIBUTION_READERS, WITHDRAWERS } from './roles.js';
import { checkShape } from './shape-check.js';

/** What contributions are given to and taken from. */
export interface ContributionSetting {
  readonly store: Store;
  readonly access: ContributionAccess;
  readonly replays: ReplayCheck;
  /** As `PoolSetting`. */
  readonly replacedBut: readonly string[] | undefined;
  readonly knownModels: boolean | undefined;
}

const CONTRIBUTION_DETAILS = closedObject(
  {
    ...CONTRIBUTION.properties,
    segments: Type.Array(SEGMENT_RECORD),
    envelope: ENVELOPE,
    /** A hundred of the snapshots that hold it, and who trained on them: those with runs first, then the newest. */
    uses: Type.Array(USE),
    /** Of all snapshots that hold it, and of all training runs that used any of them. */
    useCounts: closedObject({ snapshots: COUNT, runs: COUNT }),
  },
  { title: 'ContributionDetails' },
);

export function contributionRoutes(setting: ContributionSetting): Route[] {
  const { access } = setting;
  const { contributions } = setting.store;
  return [
    route({
      method: 'get',
      path: PATHS.contributions,
      summary: 'List contributions, oldest first, in pages; an institution sees its own',
      roles: CONTRIBUTION_READERS,
      query: pageQuery,
      answer: { json: Type.Array(CONTRIBUTION), headers: PAGE_HEADERS },
      handle: (call) =>
        answerPage(
          call,
          (part) => partOf(part, (each) => contributions.list(scopeOf(call.token), each)),
          ({ received, id }) => ({ time: received, id }),
        ),
    }),
    acceptanceRoute(setting),
    route({
      method: 'get',
      path: PATHS.contribution,
      summary:
        'One contribution with its segments, its signed envelope, and the snapshots and training runs that used it',
      roles: CONTRIBUTION_READERS,
      answer: { json: CONTRIBUTION_DETAILS },
      handle: async ({ params, token }) => {
        const contribution = await access.get(params.id, token);
        const { id } = contribution;
        const { rows, total, runs } = await access.usesOf(id, token);
        return {
          ...contribution,
          segments: await contributions.segmentsOf(id),
          envelope: await contributions.envelopeOf(id),
          uses: rows,
          useCounts: { snapshots: total, runs },
        };
      },
    }),
    route({
      method: 'delete',
      path: PATHS.contribution,
      summary: 'Withdraw a contribution: its bytes are erased before the answer',
      roles: WITHDRAWERS,
      answer: { json: CONTRIBUTION },
      handle: ({ params, token }) => access.withdraw(params.id, token),
    }),
  ];
}

function acceptanceRoute(setting: ContributionSetting): Route {
  const { store, replays, replacedBut, knownModels } = setting;
  const { contributions, identities, models } = store;
  return route({
    method: 'post',
    path: PATHS.contributions,
    summary: 'Give uploaded segments; the 201 is the promise that they are kept',
    roles: ['institution'],
    body: parseEnvelope,
    success: 201,
    answer: { json: CONTRIBUTION },
    handle: async ({ body, token }) => {
      const manifest = openContribution(body, await identities.keysOf(token.name));
      if (manifest.institution !== token.name) {
        throw new TacetError('forbidden', 'the contribution names another institution');
      }
      if (replacedBut) requireReplaced(manifest, replacedBut);
      const model = (await models.manifestOf(manifest.model)) as Manifest | undefined;
      if (await contributions.find(body)) return contributions.accept(body, manifest);
      if (!model && knownModels) throw unknownModel(manifest);
      if (!model) return contributions.accept(body, manifest);
      await requireNotRevoked(store, manifest.model);
      const check = (segment: SegmentRecord) => {
        checkShape(segment, model);
        checkNoise(segment, representedBy(model.name, model).noise.outputStddev);
      };
      await contributions.requireBytes(manifest);
      const { id } = await replays.judge({ envelope: body, manifest, check }, model);
      return contributions.get(id);
    },
  });
}

function unknownModel({ model }: ContributionManifest): TacetError {
  return new TacetError(
    'contribution-invalid',
    `this pool knows no model ${model}, so that it cannot compare the segments with its noise; have the model published ` +
      'in the registry of the pool',
  );
}

/** Throws `contribution-invalid` where entities of other types than `but` were encoded as they are. */
function requireReplaced(
  { entities, keptTypes }: ContributionManifest,
  but: readonly string[],
): void {
  if (entities !== 'replaced')
    throw new TacetError(
      'contribution-invalid',
      'labelled entities were encoded as they are, and this pool takes contributions only whose entities ' +
        'were replaced; encode with --entities replace, in a home of its own',
    );
  const others = keptTypes.filter((type) => !but.includes(type));
  if (others.length === 0) return;
  const allowed = but.length === 0 ? 'of no type' : `of no types but ${but.join(', ')}`;
  throw new TacetError(
    'contribution-invalid',
    `entities of ${others.join(', ')} were encoded as they are, and this pool takes them ${allowed}; encode ` +
      'without keeping them, in a home of its own notes that were never encoded',
  );
}

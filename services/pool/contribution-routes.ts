import type { Manifest } from '../../models/bundle/manifest.js';
import { representedBy } from '../../models/bundle/represented.js';
import type { Contribution } from '../../pool-store/contributions.js';
import type { Store } from '../../pool-store/store.js';
import type { Token } from '../../pool-store/tokens.js';
import { openContribution } from '../../proto/contribution.js';
import { parseEnvelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS } from '../../proto/paths.js';
import { type Route, route } from '../http/route.js';
import { checkNoise } from './noise-check.js';
import { ReplayCheck } from './replay-check.js';
import { checkShape } from './shape-check.js';

export function contributionRoutes(store: Store, replacedOnly = false): Route[] {
  const { contributions } = store;
  const replays = new ReplayCheck(store);
  const readable = (id: string, token: Token): Contribution => {
    const contribution = contributions.get(id);
    if (token.role !== 'institution' || token.name === contribution.institution) {
      return contribution;
    }
    throw new TacetError('not-found', `there is no contribution ${id}`);
  };
  return [
    route({
      method: 'get',
      path: PATHS.contributions,
      summary: 'List contributions; an institution sees its own',
      roles: ['institution', 'auditor', 'consumer', 'admin'],
      handle: ({ token }) =>
        contributions.list(token.role === 'institution' ? token.name : undefined),
    }),
    acceptanceRoute(store, replays, replacedOnly),
    route({
      method: 'get',
      path: PATHS.contribution,
      summary: 'One contribution with its segments and its signed envelope',
      roles: ['institution', 'auditor', 'consumer', 'admin'],
      handle: ({ params, token }) => {
        const contribution = readable(params.id, token);
        const segments = contributions.segmentsOf(contribution.id);
        return { ...contribution, segments, envelope: contributions.envelopeOf(contribution.id) };
      },
    }),
    route({
      method: 'delete',
      path: PATHS.contribution,
      summary: 'Withdraw a contribution: its bytes are erased before the answer',
      roles: ['institution', 'admin'],
      handle: async ({ params, token }) => {
        const withdrawn = await contributions.withdraw(readable(params.id, token).id);
        await replays.forget(contributions.segmentsOf(withdrawn.id).map(({ digest }) => digest));
        return withdrawn;
      },
    }),
  ];
}

function acceptanceRoute(
  { contributions, identities, models }: Store,
  replays: ReplayCheck,
  replacedOnly: boolean,
): Route {
  return route({
    method: 'post',
    path: PATHS.contributions,
    summary: 'Give uploaded segments; the 201 is the promise that they are kept',
    roles: ['institution'],
    body: parseEnvelope,
    success: 201,
    handle: ({ body, token }) => {
      const manifest = openContribution(body, identities.keysOf(token.name));
      if (manifest.institution !== token.name) {
        throw new TacetError('forbidden', 'the contribution names another institution');
      }
      if (replacedOnly && manifest.entities !== 'replaced') throw entitiesKept();
      const model = models.manifestOf(manifest.model) as Manifest | undefined;
      if (!model || contributions.find(body)) return contributions.accept(body, manifest);
      return replays.judge(manifest, model, () =>
        contributions.accept(body, manifest, (segment) => {
          checkShape(segment, model);
          checkNoise(segment, representedBy(model.name, model).noise.outputStddev);
        }),
      );
    },
  });
}

function entitiesKept(): TacetError {
  return new TacetError(
    'contribution-invalid',
    'labelled entities were encoded as they are, and this pool takes contributions only whose entities ' +
      'were replaced; encode with --entities replace, in a home of its own',
  );
}

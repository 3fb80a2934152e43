import type { Express, Response } from 'express';
import type { Logger } from 'pino';
import type { Store } from '../../pool-store/store.js';
import { sha256Hex } from '../../proto/digest.js';
import { TacetError } from '../../proto/errors.js';
import {
  FEDERATION_PLAN,
  FEDERATION_TAKEN,
  FEDERATION_TASK,
  planDigest,
} from '../../proto/federation-plan.js';
import {
  encodeNumbers,
  type Numbers,
  openUpdate,
  parseFederationEnvelope,
} from '../../proto/federation-update.js';
import { PATHS } from '../../proto/paths.js';
import { NATURAL } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { createApp } from '../http/app.js';
import { NO_PROXIES, type Proxies } from '../http/client-address.js';
import { explainInFull } from '../http/explained-error.js';
import { identityRoutes } from '../http/identity-routes.js';
import type { Limits } from '../http/limits.js';
import { logRoutes } from '../http/log-routes.js';
import { Metrics } from '../http/metrics.js';
import { metricsRoute } from '../http/metrics-route.js';
import { HEALTH } from '../http/open-answers.js';
import { type Route, route } from '../http/route.js';
import { TokenAccess } from '../http/token-access.js';
import { tokenRoutes } from '../http/token-routes.js';
import type { Coordinator } from './coordinator.js';

export interface CoordinatorSetting {
  readonly store: Store;
  readonly coordinator: Coordinator;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly proxies?: Proxies | undefined;
}

/** Of an update of 16 million weights with their places, in base64, and the rest of its envelope. */
const MAX_JSON_BYTES = 180_000_000;

const STATUS = closedObject(
  {
    plan: FEDERATION_PLAN,
    round: NATURAL,
    taken: FEDERATION_TAKEN,
  },
  { title: 'FederationStatus' },
);
const ACCEPTED = closedObject({ accepted: Type.Boolean() }, { title: 'FederationAcceptance' });

const shareQuery = validator(
  closedObject({ share: Type.Optional(Type.String({ pattern: '^[01](\\.\\d{1,9})?$' })) }),
  'request-invalid',
  'the query',
);

/** The Express application of a coordinator, over a store of its own, whose tokens its workers hold. */
export function createCoordinator(setting: CoordinatorSetting): Express {
  const { store, logger, limits, proxies = NO_PROXIES } = setting;
  const metrics = new Metrics('coordinator');
  return createApp({
    name: 'coordinator',
    routes: [
      metricsRoute(metrics, ['monitor', 'admin']),
      ...federationRoutes(setting),
      ...tokenRoutes(store),
      ...identityRoutes(store, limits),
      ...logRoutes(store),
    ],
    openRoutes: [
      {
        path: '/readyz',
        summary: 'Whether the catalog answers',
        answer: { json: HEALTH },
        handle: async (response) => {
          await store.log.head();
          response.json({ status: 'ok' });
        },
      },
    ],
    access: new TokenAccess(store.tokens, limits.requestsPerMinute, proxies),
    maxBytes: MAX_JSON_BYTES,
    metrics,
    logger,
    explain: explainInFull(logger),
  });
}

function federationRoutes({ store: { identities }, coordinator }: CoordinatorSetting): Route[] {
  const plan = planDigest(coordinator.plan);
  return [
    route({
      method: 'get',
      path: PATHS.federation,
      summary: 'The plan of the federation, and how far it is',
      roles: ['institution', 'auditor', 'admin'],
      answer: { json: STATUS },
      handle: () => {
        const { round, taken } = coordinator.progress;
        return { plan: coordinator.plan, round, taken };
      },
    }),
    route({
      method: 'get',
      path: PATHS.federationTask,
      summary: 'What the worker of this token is to do now',
      roles: ['institution'],
      answer: { json: FEDERATION_TASK },
      handle: ({ token }) => coordinator.taskOf(token.name),
    }),
    route({
      method: 'get',
      path: PATHS.federationWeights,
      summary: 'All weights, or the share updated most often, for who trains or when all is over',
      roles: ['institution', 'admin'],
      query: shareQuery,
      streams: true,
      answer: { media: ['application/octet-stream'] },
      handle: async ({ query, response, token: { role, name } }) => {
        if (role !== 'admin') await coordinator.requireReader(name);
        const numbers = coordinator.weights(Number(query.share ?? 1));
        sendNumbers(response, numbers, coordinator.progress.round);
      },
    }),
    route({
      method: 'get',
      path: PATHS.federationFirstWeights,
      summary: 'All weights that the federation began with',
      roles: ['institution', 'admin'],
      streams: true,
      answer: { media: ['application/octet-stream'] },
      handle: async ({ response, token: { role, name } }) => {
        if (role !== 'admin') coordinator.requireWorker(name);
        sendNumbers(response, await coordinator.firstWeights(), 0);
      },
    }),
    route({
      method: 'post',
      path: PATHS.federationUpdates,
      summary: 'Give a signed update; the 201 is the promise that it is kept, and counted once',
      roles: ['institution'],
      body: parseFederationEnvelope,
      success: 201,
      answer: { json: ACCEPTED },
      handle: async ({ body, token }) => {
        const message = openUpdate(body, await identities.keysOf(token.name), plan);
        if (message.header.worker !== token.name)
          throw new TacetError('forbidden', 'the update names another worker');
        const digest = sha256Hex(Buffer.from(body.payload, 'base64'));
        return { accepted: await coordinator.accept(message, digest) };
      },
    }),
  ];
}

function sendNumbers(response: Response, numbers: Numbers, epoch: number): void {
  const stated = { plan: null, worker: null, keyId: null, epoch, texts: 0 };
  response.type('application/octet-stream').send(encodeNumbers(numbers, stated));
}

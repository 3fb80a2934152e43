import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Store } from '../../pool-store/store.js';
import { TacetError } from '../../proto/errors.js';
import { type Access, allowOnly, tokenOf } from './authentication.js';
import { NO_PROXIES, type Proxies } from './client-address.js';
import { healthRoutes } from './health-routes.js';
import type { Limits } from './limits.js';
import { Metrics } from './metrics.js';
import { metricsRoute } from './metrics-route.js';
import { observe } from './observation.js';
import { describeRoutes } from './openapi.js';
import { answerNotFound, answerProblem } from './problem-answer.js';
import { RateLimit } from './rate-limit.js';
import type { OpenRoute, Route } from './route.js';

export interface Service {
  /** `registry` or `pool`; names it in logs, metrics and its OpenAPI document. */
  readonly name: string;
  readonly store: Store;
  readonly routes: readonly Route[];
  readonly logger: Logger;
  readonly limits: Limits;
  /** Whose word on the address of a client counts; nobody's where not given. */
  readonly proxies?: Proxies | undefined;
}

const MAX_JSON_BYTES = 2_000_000;
const PARAMETER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The Express application of a service: its routes, and around them what both servers share. */
export function createApp(service: Service): Express {
  const metrics = new Metrics(service);
  const routes = [metricsRoute(metrics), ...service.routes];
  const openRoutes: readonly OpenRoute[] = healthRoutes(service, () => document);
  const document = describeRoutes(service.name, routes, openRoutes);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(protect);
  app.use(observe(service.logger, metrics));
  app.use(refuseEncodings);
  const { requestsPerMinute: perMinute } = service.limits;
  const access: Access = {
    tokens: service.store.tokens,
    requests: new RateLimit({ perMinute }),
    refusals: new RateLimit({ perMinute, of: 'requests without a valid token' }),
    proxies: service.proxies ?? NO_PROXIES,
  };
  for (const { path, handle } of openRoutes) {
    app.get(path, async (_request, response) => handle(response));
  }
  for (const route of routes) {
    app[route.method](expressPath(route.path), ...handlersOf(route, access));
  }
  app.use(answerNotFound);
  app.use(answerProblem(service.logger));
  return app;
}

/** The token is checked before a byte of the body is read. */
function handlersOf(route: Route, access: Access): RequestHandler[] {
  const readJson = express.json({ limit: MAX_JSON_BYTES, inflate: false, strict: true });
  const handle: RequestHandler = async (request, response) => {
    const result = await route.handle({
      params: checkedParameters(request.params),
      query: route.query ? route.query(request.query) : {},
      body: route.body?.(request.body),
      token: tokenOf(request),
      request,
      response,
    });
    if (response.headersSent) return;
    response.status(route.success ?? 200);
    if (result === undefined) response.end();
    else response.json(result);
  };
  return [allowOnly(route.roles, access), ...(route.body ? [readJson] : []), handle];
}

function checkedParameters(params: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (typeof value === 'string' && PARAMETER.test(value)) return [name, value];
      throw new TacetError('not-found', `the path names no ${name}`);
    }),
  );
}

function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** A few bytes that unpack to many would pass every limit on the size of a body. */
const refuseEncodings: RequestHandler = (request, _response, next) => {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new TacetError('request-invalid', 'the body is compressed; send it as it is');
  }
  next();
};

/** Answers are for programs and for the holder of the token alone. */
const protect: RequestHandler = (_request, response, next) => {
  response.set({
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'",
  });
  next();
};

import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { TacetError } from '../../proto/errors.js';
import type { ServiceName } from '../../proto/paths.js';
import type { Access } from './access.js';
import type { Explain } from './explained-error.js';
import { jsonBody } from './json-body.js';
import type { Metrics } from './metrics.js';
import { observe } from './observation.js';
import { DOCUMENT, HEALTH } from './open-answers.js';
import { describeRoutes } from './openapi.js';
import type { Site } from './pages/site.js';
import { mountSite } from './pages/site-app.js';
import { answerProblem, answerUnknownRoute } from './problem-answer.js';
import { checkedParameters, departureOf, expressPath, withoutIdleLimit } from './request-parts.js';
import type { OpenRoute, Route } from './route.js';
import { knownToStreams } from './send-bytes.js';
import { tokenOf } from './token-access.js';

export interface Service {
  /** Names it in its OpenAPI document. */
  readonly name: ServiceName;
  readonly routes: readonly Route[];
  /** What anyone may ask besides `/livez` and `/openapi.json`. */
  readonly openRoutes: readonly OpenRoute[];
  readonly access: Access;
  /** Pages for people, where it has some. */
  readonly site?: Site | undefined;
  /** Of a body of JSON. */
  readonly maxBytes: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Leaves the sizes of bodies out of traces: that of a note would tell how long the names in it are. */
  readonly hidesSizes?: boolean | undefined;
  /** What every failure goes through before it is answered. */
  readonly explain: Explain;
}

/** The Express application of a service: its routes, and around them what all servers share. */
export function createApp(service: Service): Express {
  const { name, routes, metrics, logger, explain } = service;
  const openRoutes: readonly OpenRoute[] = [
    {
      path: '/livez',
      summary: 'Whether the process answers',
      answer: { json: HEALTH },
      handle: (response) => void response.json({ status: 'ok' }),
    },
    ...service.openRoutes,
    {
      path: '/openapi.json',
      summary: 'This document',
      answer: { json: DOCUMENT },
      handle: (response) => void response.json(document),
    },
  ];
  const document = describeRoutes(name, routes, openRoutes);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  // A proxy that closes a path would have to know every other way to write it.
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(protect);
  app.use(knownToStreams, observe(logger, metrics, service));
  for (const { path, handle } of openRoutes)
    app.get(path, async (_request, response) => handle(response));
  for (const route of routes) {
    const { method, path, errorAnswer } = route;
    app[method](
      expressPath(path),
      ...handlersOf(route, service),
      ...(errorAnswer ? [answerProblem(explain, route)] : []),
    );
  }
  if (service.site) mountSite(app, service.site, service);
  app.use(answerUnknownRoute(name));
  app.use(answerProblem(explain));
  return app;
}

/** The caller is checked before a byte of the body is read. */
function handlersOf(route: Route, { access, maxBytes }: Service): RequestHandler[] {
  const handle: RequestHandler = async (request, response) => {
    const call = {
      params: checkedParameters(request.params),
      query: route.query ? route.query(request.query) : {},
      body: route.body?.(request.body),
      get token() {
        return tokenOf(request);
      },
      signal: departureOf(response),
      request,
      response,
    };
    const work = async () => route.handle(call);
    const result = await (route.streams ? work() : withoutIdleLimit(request, work));
    if (response.headersSent) return;
    response.status(route.success ?? 200);
    if (result === undefined) response.end();
    else response.type(route.jsonType ?? 'json').json(result);
  };
  const readBody = route.body ? [...jsonBody(maxBytes), refuseUnread] : [];
  return [access.guard(route), refuseEncodings, ...readBody, handle];
}

/** What is not called JSON is not read as such, and `curl -d` calls it a form. */
const refuseUnread: RequestHandler = ({ body, headers }, _response, next) => {
  const isEmpty = (headers['content-length'] ?? '0') === '0' && !headers['transfer-encoding'];
  if (body === undefined && !isEmpty)
    throw new TacetError(
      'request-invalid',
      'the body is not said to be JSON; send it with "Content-Type: application/json"',
    );
  next();
};

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

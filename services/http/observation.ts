import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.js';
import { cutOffStatusOf, problemCodeOf } from './problem-answer.js';
import { spanOf } from './request-span.js';
import { holderOf } from './token-access.js';

/**
 * Logs, counts and traces every request when it ends: its route as declared, never its path, query, headers
 * or body, so nothing of a caller's data can reach a log. An answer that breaks off has the status of the failure for
 * which the server cut it off, or 499 where its caller left.
 */
export function observe(
  logger: Logger,
  metrics: Metrics,
  { hidesSizes }: { readonly hidesSizes?: boolean | undefined } = {},
): RequestHandler {
  return (request, response, next) => {
    const startMs = performance.now();
    const id = randomUUID();
    response.set('X-Request-Id', id);
    metrics.begin();
    const span = spanOf(request, response, hidesSizes);
    response.once('close', () => {
      const { method } = request;
      const route = routeOf(request);
      const status =
        cutOffStatusOf(response) ?? (response.writableFinished ? response.statusCode : 499);
      const ms = performance.now() - startMs;
      const code = problemCodeOf(response);
      metrics.observe({ method, route, status, seconds: ms / 1000, code });
      span.end({ route, status, code });
      logger.info({
        id,
        method,
        route,
        status,
        code,
        ms: Math.round(ms),
        token: holderOf(request),
      });
    });
    span.run(next);
  };
}

function routeOf(request: Request): string {
  const { path } = (request.route ?? {}) as { path?: string };
  return path ?? 'none';
}

import type { Express, Response } from 'express';
import type { Logger } from 'pino';
import { createApp } from '../http/app.js';
import { bearerAccess } from '../http/bearer-access.js';
import type { Explain } from '../http/explained-error.js';
import { LOOPBACK_ACCESS } from '../http/loopback.js';
import { Metrics } from '../http/metrics.js';
import { metricsRoute } from '../http/metrics-route.js';
import { HEALTH } from '../http/open-answers.js';
import type { Site } from '../http/pages/site.js';
import type { OpenRoute, Route } from '../http/route.js';

export interface EncoderAppOptions {
  readonly routes: readonly Route[];
  /** The bearer token that callers send; without one, only this machine's own programs are served. */
  readonly token?: string | undefined;
  /** Throws while the service should be sent no requests. */
  readonly requireReady?: (() => void) | undefined;
  /** Pages for people. */
  readonly site?: Site | undefined;
  readonly logger: Logger;
  readonly explain: Explain;
}

const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** The encoder's Express application. */
export function createEncoderApp({
  routes,
  token,
  requireReady = () => {},
  site,
  logger,
  explain,
}: EncoderAppOptions): Express {
  const metrics = new Metrics('encoder');
  return createApp({
    name: 'encoder',
    routes: [metricsRoute(metrics), ...routes],
    openRoutes: healthRoutes(requireReady, explain),
    site,
    access: token === undefined ? LOOPBACK_ACCESS : bearerAccess(token),
    maxBytes: MAX_JSON_BYTES,
    hidesSizes: true,
    metrics,
    logger,
    explain,
  });
}

function healthRoutes(requireReady: () => void, explain: Explain): OpenRoute[] {
  const answerReadiness = (response: Response) => {
    try {
      requireReady();
      response.json({ status: 'ok' });
    } catch (error) {
      response.status(503).json({ status: 'not ready', code: explain(error).code });
    }
  };
  return [
    {
      path: '/readyz',
      summary: 'Whether models are loaded and may be used',
      answer: { json: HEALTH, others: { 503: { description: 'Not ready', json: HEALTH } } },
      handle: answerReadiness,
    },
    {
      path: '/health',
      summary: "As Presidio's health check",
      answer: { media: ['text/plain'] },
      handle: (response) => void response.type('text').send('Presidio Analyzer service is up'),
    },
  ];
}

import { once } from 'node:events';
import type { Response } from 'express';
import { PATHS } from '../../proto/paths.js';
import { Type } from '../../proto/typebox.js';
import { type Route, route } from '../http/route.js';
import { ENCODED } from './encoded.js';
import type { EncoderService } from './encoder-service.js';
import { fhirRoutes } from './fhir-routes.js';
import { JOB_VIEW, type JobView } from './jobs.js';
import { presidioRoutes } from './presidio-routes.js';
import {
  type AnsweredDocument,
  answeredDocument,
  DEIDENTIFIED,
  documentsOf,
  parseDeidentifyRequest,
  parseEncodeRequest,
  parseJobRequest,
} from './request-schemas.js';

const COMMENT_MS = 15_000;
/** Encoding and de-identifying over HTTP, inside an institution. */
export function encoderRoutes(service: EncoderService): Route[] {
  return [
    ...textRoutes(service),
    ...jobRoutes(service),
    ...presidioRoutes(service),
    ...fhirRoutes(service),
  ];
}

function textRoutes(service: EncoderService): Route[] {
  return [
    route({
      method: 'post',
      path: PATHS.encode,
      summary:
        'Encode labelled documents, offsets in code points, into the outbox and wait for it; ' +
        'answers with counts',
      body: parseEncodeRequest,
      answer: { json: ENCODED },
      handle: async ({ body: { documents, ...how }, signal }) => {
        const { id } = await service.encodeDocuments(documentsOf(documents), how);
        return service.jobs.result(id, signal);
      },
    }),
    route({
      method: 'post',
      path: PATHS.deidentify,
      summary:
        'Replace the PHI of documents; spans have offsets in code points, and under annotate a confidence',
      body: parseDeidentifyRequest,
      answer: { json: DEIDENTIFIED },
      handle: async ({ body, signal }) => {
        const { policy: treatment = 'tag', language, patterns } = body;
        const threshold = body.threshold ?? service.options.threshold;
        const how = { treatment, language, threshold, patterns };
        const documents: AnsweredDocument[] = [];
        for (const document of documentsOf(body.documents))
          documents.push(answeredDocument(await service.deidentify(document, how, signal)));
        return { documents };
      },
    }),
  ];
}

function jobRoutes(service: EncoderService): Route[] {
  return [
    route({
      method: 'get',
      path: PATHS.jobs,
      summary: 'Jobs of this encoder, also of before a restart, oldest first',
      answer: { json: Type.Array(JOB_VIEW) },
      handle: () => service.jobs.list(),
    }),
    route({
      method: 'post',
      path: PATHS.jobs,
      summary:
        'Encode documents, offsets in code points, or files below the input directory, in the ' +
        'background',
      body: parseJobRequest,
      success: 202,
      answer: { json: JOB_VIEW },
      handle: ({ body: { documents, input, ...how } }) =>
        input === undefined
          ? service.encodeDocuments(documentsOf(documents ?? []), how)
          : service.encodeFiles(input, how),
    }),
    route({
      method: 'get',
      path: PATHS.job,
      summary: 'One job',
      answer: { json: JOB_VIEW },
      handle: ({ params }) => service.jobs.view(params.id),
    }),
    route({
      method: 'delete',
      path: PATHS.job,
      summary: 'Cancel a job; what it has released stays released',
      answer: { json: JOB_VIEW },
      handle: ({ params }) => service.jobs.cancel(params.id),
    }),
    route({
      method: 'get',
      path: PATHS.jobEvents,
      summary: 'Every change of a job until it ends, as server-sent events',
      streams: true,
      answer: { media: ['text/event-stream'] },
      handle: async ({ params, signal, response }) => {
        const { id } = service.jobs.view(params.id);
        await sendEvents(service.jobs.follow(id, signal), response);
      },
    }),
  ];
}

/**
 * Server-sent events (WHATWG HTML, section 9.2), no faster than the client reads, and comments while
 * there are none, so that neither server nor proxy takes the connection for a dead one.
 */
export async function sendEvents(
  views: AsyncIterable<JobView>,
  response: Response,
  commentMs = COMMENT_MS,
): Promise<void> {
  response.type('text/event-stream').flushHeaders();
  const comments = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': still here\n\n');
  }, commentMs);
  try {
    for await (const view of views) {
      const event = view.ended === null ? 'progress' : 'end';
      const room = response.write(`event: ${event}\ndata: ${JSON.stringify(view)}\n\n`);
      if (!room) await roomIn(response);
    }
  } finally {
    clearInterval(comments);
  }
  response.end();
}

/** Resolves when more can be written, or nothing can any more. Leaves no listener, however often it is asked. */
async function roomIn(response: Response): Promise<void> {
  const heard = new AbortController();
  const hear = (event: string) => once(response, event, { signal: heard.signal });
  try {
    if (!response.destroyed) await Promise.race([hear('drain'), hear('close')]);
  } finally {
    heard.abort();
  }
}

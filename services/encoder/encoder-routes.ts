import { once } from 'node:events';
import type { Response } from 'express';
import type { TacetError } from '../../proto/errors.js';
import { validator } from '../../proto/validator.js';
import { type ErrorAnswer, type Route, route } from '../http/route.js';
import {
  parseAnalyzeRequest,
  recognizerNames,
  requireLanguage,
} from '../institution/deidentify/presidio/analyze.js';
import { parseAnonymizeRequest } from '../institution/deidentify/presidio/anonymize.js';
import {
  DEANONYMIZERS,
  parseDeanonymizeRequest,
} from '../institution/deidentify/presidio/deanonymize.js';
import { OPERATORS } from '../institution/deidentify/presidio/operators.js';
import {
  type PresidioService,
  presidioAnswer,
} from '../institution/deidentify/presidio/presidio-error.js';
import type { EncoderService } from './encoder-service.js';
import type { JobView } from './jobs.js';
import {
  type AnsweredDocument,
  answeredDocument,
  documentsOf,
  parseDeidentifyRequest,
  parseEncodeRequest,
  parseJobRequest,
} from './request-schemas.js';

const JOB = '/v1/jobs/{id}';
const COMMENT_MS = 15_000;
/** As Presidio's services, which pass over whatever else a query says. */
const parseLanguageQuery = validator<{ readonly language?: unknown }>(
  { type: 'object', properties: { language: {} } },
  'request-invalid',
  'the query',
);
const analyzerError = presidioError('analyzer');
const anonymizerError = presidioError('anonymizer');

/** Encoding and de-identifying over HTTP, inside an institution. */
export function encoderRoutes(service: EncoderService): Route[] {
  return [...textRoutes(service), ...jobRoutes(service), ...presidioRoutes(service)];
}

function textRoutes(service: EncoderService): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/encode',
      summary:
        'Encode labelled documents, offsets in code points, into the outbox and wait for it; ' +
        'answers with counts',
      body: parseEncodeRequest,
      handle: async ({ body: { documents, dryRun }, signal }) => {
        const { id } = await service.encodeDocuments(documentsOf(documents), dryRun);
        signal.addEventListener('abort', () => service.jobs.cancel(id));
        return service.jobs.result(id);
      },
    }),
    route({
      method: 'post',
      path: '/v1/deidentify',
      summary:
        'Replace the PHI of documents; each span has a confidence, and offsets in code points',
      body: parseDeidentifyRequest,
      handle: async ({ body, signal }) => {
        const { policy = 'tag', language, patterns } = body;
        const threshold = body.threshold ?? service.options.threshold;
        const how = { policy, language, threshold, patterns };
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
      path: '/v1/jobs',
      summary: 'Jobs of this encoder, also of before a restart, oldest first',
      handle: () => service.jobs.list(),
    }),
    route({
      method: 'post',
      path: '/v1/jobs',
      summary:
        'Encode documents, offsets in code points, or files below the input directory, in the ' +
        'background',
      body: parseJobRequest,
      success: 202,
      handle: ({ body: { documents, input, dryRun } }) =>
        input === undefined
          ? service.encodeDocuments(documentsOf(documents ?? []), dryRun)
          : service.encodeFiles(input, dryRun),
    }),
    route({
      method: 'get',
      path: JOB,
      summary: 'One job',
      handle: ({ params }) => service.jobs.view(params.id),
    }),
    route({
      method: 'delete',
      path: JOB,
      summary: 'Cancel a job; what it has released stays released',
      handle: ({ params }) => service.jobs.cancel(params.id),
    }),
    route({
      method: 'get',
      path: `${JOB}/events`,
      summary: 'Every change of a job until it ends, as server-sent events',
      streams: true,
      handle: async ({ params, signal, response }) => {
        const { id } = service.jobs.view(params.id);
        await sendEvents(service.jobs.follow(id, signal), response);
      },
    }),
  ];
}

function presidioRoutes(service: EncoderService): Route[] {
  /** Those that the query names, or all that the pipeline reads. */
  const languagesOf = (language: unknown): readonly string[] => {
    if (!language) return service.languages;
    requireLanguage(String(language), service.languages);
    return [String(language)];
  };
  return [
    route({
      method: 'post',
      path: '/analyze',
      summary: "Presidio's analyzer: where PHI stands, offsets in code points",
      body: parseAnalyzeRequest,
      errorAnswer: analyzerError,
      handle: ({ body, signal }) => service.analyze(body, signal),
    }),
    route({
      method: 'post',
      path: '/anonymize',
      summary: "Presidio's anonymizer: findings replaced, masked, redacted, hashed or encrypted",
      body: parseAnonymizeRequest,
      errorAnswer: anonymizerError,
      handle: ({ body, signal }) => service.anonymize(body, signal),
    }),
    route({
      method: 'post',
      path: '/deanonymize',
      summary: "Presidio's deanonymizer: what was encrypted, in clear again, for who has the key",
      body: parseDeanonymizeRequest,
      errorAnswer: anonymizerError,
      handle: ({ body, signal }) => service.deanonymize(body, signal),
    }),
    route({
      method: 'get',
      path: '/supportedentities',
      summary: 'What the analyzer can find, in the language that the query names',
      errorAnswer: analyzerError,
      query: parseLanguageQuery,
      handle: ({ query }) => service.presidioTypes(languagesOf(query.language)),
    }),
    route({
      method: 'get',
      path: '/recognizers',
      summary: 'What the analyzer finds it with, in the language that the query names',
      errorAnswer: analyzerError,
      query: parseLanguageQuery,
      handle: ({ query }) => recognizerNames(languagesOf(query.language)),
    }),
    route({
      method: 'get',
      path: '/anonymizers',
      summary: 'What the anonymizer can do',
      handle: () => Object.keys(OPERATORS),
    }),
    route({
      method: 'get',
      path: '/deanonymizers',
      summary: 'What the deanonymizer can do',
      handle: () => DEANONYMIZERS,
    }),
  ];
}

/** Errors as `{"error": "..."}` with the status of this service, which Presidio's clients read. */
function presidioError(service: PresidioService) {
  return (error: unknown, expected: TacetError): ErrorAnswer => {
    const { status, message } = presidioAnswer(error, service, expected);
    return { status, body: { error: message } };
  };
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
      if (!room) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  } finally {
    clearInterval(comments);
  }
  response.end();
}

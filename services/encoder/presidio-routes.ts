import type { TacetError } from '../../proto/errors.js';
import { Type } from '../../proto/typebox.js';
import { validator } from '../../proto/validator.js';
import { type ErrorAnswer, type Route, route } from '../http/route.js';
import { parseAnalyzeRequest } from '../institution/deidentify/presidio/analyze-request.js';
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
import { RECOGNIZER_RESULT } from '../institution/deidentify/presidio/recognizer-result.js';
import { REWRITTEN } from '../institution/deidentify/presidio/rewrite.js';
import {
  recognizerNames,
  requireLanguage,
} from '../institution/deidentify/presidio/supported-recognizers.js';
import type { EncoderService } from './encoder-service.js';

/** As Presidio's services, which pass over whatever else a query says. */
const parseLanguageQuery = validator(
  Type.Object({ language: Type.Optional(Type.Unknown()) }),
  'request-invalid',
  'the query',
);
const NAMES = { json: Type.Array(Type.String()) };
const ANALYZED = Type.Union([
  Type.Array(RECOGNIZER_RESULT),
  Type.Array(Type.Array(RECOGNIZER_RESULT)),
]);
const ERROR = Type.Object({ error: Type.String() }, { title: 'PresidioError' });
const analyzerError = presidioError('analyzer');
const anonymizerError = presidioError('anonymizer');

/** Presidio's analyzer and anonymizer, at the paths and in the words that its clients know. */
export function presidioRoutes(service: EncoderService): Route[] {
  return [
    route({
      method: 'post',
      path: '/analyze',
      summary: "Presidio's analyzer: where PHI stands, offsets in code points",
      body: parseAnalyzeRequest,
      answer: { json: ANALYZED },
      errors: ERROR,
      errorAnswer: analyzerError,
      handle: ({ body, signal }) => service.analyze(body, signal),
    }),
    route({
      method: 'post',
      path: '/anonymize',
      summary: "Presidio's anonymizer: findings replaced, masked, redacted, hashed or encrypted",
      body: parseAnonymizeRequest,
      answer: { json: REWRITTEN },
      errors: ERROR,
      errorAnswer: anonymizerError,
      handle: ({ body, signal }) => service.anonymize(body, signal),
    }),
    route({
      method: 'post',
      path: '/deanonymize',
      summary: "Presidio's deanonymizer: what was encrypted, in clear again, for who has the key",
      body: parseDeanonymizeRequest,
      answer: { json: REWRITTEN },
      errors: ERROR,
      errorAnswer: anonymizerError,
      handle: ({ body, signal }) => service.deanonymize(body, signal),
    }),
    ...listRoutes(service),
  ];
}

function listRoutes(service: EncoderService): Route[] {
  /** Those that the query names, or all that the pipeline reads. */
  const languagesOf = (language: unknown): readonly string[] => {
    if (!language) return service.languages;
    requireLanguage(String(language), service.languages);
    return [String(language)];
  };
  return [
    route({
      method: 'get',
      path: '/supportedentities',
      summary: 'What the analyzer can find, in the language that the query names',
      answer: NAMES,
      errors: ERROR,
      errorAnswer: analyzerError,
      query: parseLanguageQuery,
      handle: ({ query }) => service.presidioTypes(languagesOf(query.language)),
    }),
    route({
      method: 'get',
      path: '/recognizers',
      summary: 'What the analyzer finds it with, in the language that the query names',
      answer: NAMES,
      errors: ERROR,
      errorAnswer: analyzerError,
      query: parseLanguageQuery,
      handle: ({ query }) => recognizerNames(languagesOf(query.language)),
    }),
    route({
      method: 'get',
      path: '/anonymizers',
      summary: 'What the anonymizer can do',
      answer: NAMES,
      handle: () => Object.keys(OPERATORS),
    }),
    route({
      method: 'get',
      path: '/deanonymizers',
      summary: 'What the deanonymizer can do',
      answer: NAMES,
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

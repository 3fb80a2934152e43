import { ERRORS, type ErrorCode, TacetError } from './errors.js';
import { jsonIn } from './json-text.js';
import { Type } from './typebox.js';
import { closedObject, type TypeOf } from './typed-schema.js';

export const PROBLEM_TYPE = 'application/problem+json';

export const PROBLEM = closedObject(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.Unsafe<ErrorCode>(Type.String()),
  },
  { title: 'Problem' },
);

/** Problem details, RFC 9457 section 3.1, with the stable code of the error table. */
export type Problem = TypeOf<typeof PROBLEM>;

export function problemOf(error: TacetError): Problem {
  const { code, status, message: detail } = error;
  const { title } = ERRORS[code];
  return { type: `urn:tacet:error:${code}`, title, status, detail, code };
}

/** The error that a server stated; `server-failed` where its answer is no problem of ours. */
export function errorOf(status: number, body: string, url: string): TacetError {
  const { code, detail } = parse(body) ?? {};
  if (isErrorCode(code))
    return new TacetError(code, typeof detail === 'string' ? detail : ERRORS[code].title);
  return new TacetError('server-failed', `${url} answered ${status} without problem details`);
}

/** Of the table itself: `constructor`, which every object has, would be an error without an exit status. */
function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

function parse(body: string): Partial<Record<keyof Problem, unknown>> | undefined {
  const value = jsonIn(body);
  return typeof value === 'object' && value !== null ? value : undefined;
}

import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { type ErrorCode, TacetError } from '../../proto/errors.js';
import { type ServiceName, serviceOf } from '../../proto/paths.js';
import { PROBLEM_TYPE, problemOf } from '../../proto/problem.js';
import type { Explain } from './explained-error.js';
import type { Route } from './route.js';

/** Answers every error as problem details, or as the route says; what was not expected is not shown. */
export function answerProblem(
  explain: Explain,
  { errorAnswer, jsonType = 'json' }: Partial<Route> = {},
): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const expected = explain(error);
    if (response.headersSent) return breakOff(response, expected);
    noteProblem(response, expected.code);
    const answer = errorAnswer?.(error, expected);
    if (answer) response.status(answer.status).type(jsonType).json(answer.body);
    else
      response
        .status(expected.status)
        .type(PROBLEM_TYPE)
        .send(JSON.stringify(problemOf(expected)));
  };
}

/** The code of the problem that each response was answered with, for the log and the metrics. */
const codes = new WeakMap<object, ErrorCode>();

export function noteProblem(response: object, code: ErrorCode): void {
  codes.set(response, code);
}

export function problemCodeOf(response: object): ErrorCode | undefined {
  return codes.get(response);
}

/** Of an answer under way, whose status cannot change: cutting it off is the only way to say that it failed. */
export function breakOff(response: Response, { code, status }: TacetError): void {
  noteProblem(response, code);
  cutOff.set(response, status);
  response.destroy();
}

/** The status of the failure for which each answer under way was cut off. */
const cutOff = new WeakMap<object, number>();

export function cutOffStatusOf(response: object): number | undefined {
  return cutOff.get(response);
}

/** Throws `route-unknown`, which says where it is another service's that this one was taken for it. */
export function answerUnknownRoute(name: ServiceName): RequestHandler {
  return ({ path }) => {
    const meant = serviceOf(path);
    throw new TacetError(
      'route-unknown',
      meant === undefined || meant === name
        ? 'there is no such route; see /openapi.json'
        : `the server at this address is the ${name} and no ${meant}; give the address of the ${meant}`,
    );
  };
}

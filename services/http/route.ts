import type { Request, Response } from 'express';
import type { Role, Token } from '../../pool-store/members/tokens.js';
import type { TacetError } from '../../proto/errors.js';
import type { TSchema } from '../../proto/typebox.js';
import type { Validator } from '../../proto/validator.js';
import type { Answer } from './answer.js';

export type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/** A request whose path, query, caller and body were checked. */
export interface Call<Body = unknown, Query = unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  /** Of the store; reading it throws `unauthorized` where the service knows callers otherwise. */
  readonly token: Token;
  /** Aborted where the client goes away before its answer. */
  readonly signal: AbortSignal;
  readonly request: Request;
  readonly response: Response;
}

/**
 * One operation of a service. The application, its access rules and its OpenAPI document are all
 * made from a list of these.
 */
export interface Route<Body = unknown, Query = unknown> {
  readonly method: Method;
  /** One of `PATHS`, or another with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Whose tokens may call it, where callers have roles; every other token is answered `forbidden`. */
  readonly roles?: readonly Role[];
  readonly query?: Validator<Query>;
  readonly body?: Validator<Body>;
  /** What it is sent besides, for its OpenAPI document. */
  readonly takes?: Taken;
  /** The status of success, 200 unless stated. */
  readonly success?: number;
  /** What it answers then. */
  readonly answer: Answer;
  /** Bytes come or go while it works, so that a connection on which nothing moves is one that is gone. */
  readonly streams?: boolean;
  /** The media type of all that it answers, and of what it is sent, which may come as `application/json` too. */
  readonly jsonType?: string;
  /** Of the JSON of its errors, where those are no problem details. */
  readonly errors?: TSchema;
  /** How it answers errors, where not as problem details; `expected` is the error as our table knows it. */
  errorAnswer?(error: unknown, expected: TacetError): ErrorAnswer;
  /** Returns the answer's JSON, or undefined where it answered by itself or has nothing to say. */
  handle(call: Call<Body, Query>): unknown;
}

/** A body that is no JSON, and headers that a request needs. */
export interface Taken {
  readonly media?: string;
  /** What they say, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Lets TypeScript infer the types of body and query, and then forgets them. */
export function route<Body, Query>(definition: Route<Body, Query>): Route {
  return definition as Route;
}

/** An operation that anyone may call. */
export interface OpenRoute {
  readonly path: string;
  readonly summary: string;
  readonly answer: Answer;
  /** Whether it answers problem details, too. */
  readonly mayFail?: boolean;
  handle(response: Response): Promise<void> | void;
}

import type { Request, Response } from 'express';
import type { Role, Token } from '../../pool-store/tokens.js';
import type { Validator } from '../../proto/validator.js';

export type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';

/** A request whose path, query, token and body were checked. */
export interface Call<Body = unknown, Query = unknown> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly token: Token;
  readonly request: Request;
  readonly response: Response;
}

/**
 * One operation of a service. The application, its access rules and its OpenAPI document are all
 * made from a list of these.
 */
export interface Route<Body = unknown, Query = unknown> {
  readonly method: Method;
  /** With parameters in braces, as OpenAPI writes them: `/v1/models/{name}`. */
  readonly path: string;
  readonly summary: string;
  /** Who may call it; every other token is answered `forbidden`. */
  readonly roles: readonly Role[];
  readonly query?: Validator<Query>;
  readonly body?: Validator<Body>;
  /** The status of success, 200 unless stated. */
  readonly success?: number;
  /** Returns the answer's JSON, or undefined where it answered by itself or has nothing to say. */
  handle(call: Call<Body, Query>): unknown;
}

/** Lets TypeScript infer the types of body and query, and then forgets them. */
export function route<Body, Query>(definition: Route<Body, Query>): Route {
  return definition as Route;
}

/** An operation that needs no token. */
export interface OpenRoute {
  readonly path: string;
  readonly summary: string;
  handle(response: Response): Promise<void> | void;
}
